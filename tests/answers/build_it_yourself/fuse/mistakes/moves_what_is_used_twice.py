# The checker says: computes a value twice

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
        if op in elementwise and used_by and all(user in elementwise for user in used_by):
            moved[name] = [op, inputs]
        else:
            fused.append([name, op, inputs])
    return fused
