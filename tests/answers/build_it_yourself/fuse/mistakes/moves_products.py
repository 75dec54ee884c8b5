# The checker says: which is not element-wise, has moved

# %%
def fuse(graph):
    users = {}
    for _, op, inputs in graph:
        for i in inputs:
            users.setdefault(i, []).append(op)
    fused, moved = [], {}
    for name, op, inputs in graph:
        inputs = [moved.get(i, i) for i in inputs]
        used_by = users.get(name, [])
        if len(used_by) == 1 and used_by[0] != "matmul":
            moved[name] = [op, inputs]
        else:
            fused.append([name, op, inputs])
    return fused
