# %%
def fuse(graph):
    ew = {"add", "mul", "relu"}
    position = {line[0]: k for k, line in enumerate(graph)}
    used_by = [[] for _ in graph]
    for k, (_, _, inputs) in enumerate(graph):
        for i in inputs:
            if i in position:
                used_by[position[i]].append(k)
    gone = [graph[k][1] in ew and len(u) == 1 and graph[u[0]][1] in ew for k, u in enumerate(used_by)]
    exprs = []
    for k, (_, op, inputs) in enumerate(graph):
        exprs.append([op, [exprs[position[i]] if i in position and gone[position[i]] else i for i in inputs]])
    return [[graph[k][0]] + exprs[k] for k in range(len(graph)) if not gone[k]]
