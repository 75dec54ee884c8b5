# %%
def fuse(graph):
    users = {}
    for _, op, inputs in graph:
        for i in inputs:
            users.setdefault(i, []).append(op)
    fused, moved = [], {}
    for name, op, inputs in graph:
        inputs = [moved.get(i, i) for i in inputs]
        if op in ("add", "mul", "relu") and users.get(name) == ["relu"]:
            moved[name] = [op, inputs]
        else:
            fused.append([name, op, inputs])
    return fused
