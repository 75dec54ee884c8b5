# %%
def fuse(graph):
    elementwise = {"add", "mul", "relu"}
    uses = [i for _, _, inputs in graph for i in inputs]
    fused, moved = [], {}
    for k, (name, op, inputs) in enumerate(graph):
        inputs = [moved.get(i, i) for i in inputs]
        following = graph[k + 1] if k + 1 < len(graph) else ["", "", []]
        if op in elementwise and uses.count(name) == 1 and following[1] in elementwise and name in following[2]:
            moved[name] = [op, inputs]
        else:
            fused.append([name, op, inputs])
    return fused
