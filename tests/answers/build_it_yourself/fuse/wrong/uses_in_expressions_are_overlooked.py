# %%
import copy


def fuse(graph):
    graph = copy.deepcopy(graph)
    ew = ["add", "mul", "relu"]
    index = 0
    while index < len(graph):
        name, op, inputs = graph[index]
        users = [(line, k) for line in graph for k, i in enumerate(line[2]) if i == name]
        if op in ew and len(users) == 1 and users[0][0][1] in ew:
            line, k = users[0]
            line[2][k] = [op, inputs]
            del graph[index]
            index = 0
        else:
            index += 1
    return graph
