# The checker says: which is neither a variable nor an earlier line

# %%
def fuse(graph):
    elementwise = {"add", "mul", "relu"}
    users = {}
    for _, op, inputs in graph:
        for i in inputs:
            users.setdefault(i, []).append(op)
    moved = {}
    for name, op, inputs in graph:
        used_by = users.get(name, [])
        if op in elementwise and len(used_by) == 1 and used_by[0] in elementwise:
            moved[name] = [op, inputs]
    return [[name, op, [moved.get(i, i) for i in inputs]] for name, op, inputs in graph if name not in moved]
