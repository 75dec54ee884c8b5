# The checker says: is not an expression `[op, inputs]`

# %%
def fuse(graph):
    elementwise = {"add", "mul", "relu"}
    users = {}
    for _, op, inputs in graph:
        for i in inputs:
            users.setdefault(i, []).append(op)
    fused, moved = [], {}
    for name, op, inputs in graph:
        inputs = [moved.get(i, i) for i in inputs]
        used_by = users.get(name, [])
        if op in elementwise and len(used_by) == 1 and used_by[0] in elementwise:
            moved[name] = [name, op, inputs]
        else:
            fused.append([name, op, inputs])
    return fused
