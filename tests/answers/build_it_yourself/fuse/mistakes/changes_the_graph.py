# The checker says: the function has changed its argument

# %%
def fuse(graph):
    elementwise = {"add", "mul", "relu"}
    used = [i for _, _, inputs in graph for i in inputs]
    users = {i: op for _, op, inputs in graph for i in inputs}
    for line in list(graph):
        name, op, inputs = line
        if op in elementwise and used.count(name) == 1 and users[name] in elementwise:
            graph.remove(line)
            for other in graph:
                other[2] = [[op, inputs] if i == name else i for i in other[2]]
    return graph
