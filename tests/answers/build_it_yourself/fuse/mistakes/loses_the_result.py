# The checker says: the returned graph is empty

# %%
def fuse(graph):
    elementwise = {"add", "mul", "relu"}
    fused, moved = [], {}
    for name, op, inputs in graph:
        inputs = [moved.get(i, i) for i in inputs]
        if op in elementwise and sum(i == name for line in graph for i in line[2]) <= 1:
            moved[name] = [op, inputs]
        else:
            fused.append([name, op, inputs])
    return fused
