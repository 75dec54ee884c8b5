# %%
from collections import Counter


def fuse(graph):
    ELEMENTWISE = ("add", "mul", "relu")
    count = Counter(i for line in graph for i in line[2])
    user = {i: line[1] for line in graph for i in line[2]}
    inside = {}
    result = []
    for name, op, inputs in graph:
        expr = [op, [inside[i] if i in inside else i for i in inputs]]
        if op in ELEMENTWISE and count[name] == 1 and user[name] in ELEMENTWISE:
            inside[name] = expr
        else:
            result.append([name, *expr])
    return result
