# %%
def trace(function, symbols):
    out = function(*symbols)
    needed = []
    todo = [out]
    while todo:
        s = todo.pop()
        if any(s is n for n in needed):
            continue
        needed.append(s)
        todo += [i for i in s.inputs if not isinstance(i, (int, float))]
    names = {}
    for s in needed:
        if s.op is None:
            names[id(s)] = s.name
    graph = []
    while id(out) not in names:
        for s in needed:
            if id(s) in names:
                continue
            if all(isinstance(i, (int, float)) or id(i) in names for i in s.inputs):
                names[id(s)] = "line_%d" % len(graph)
                graph.append(
                    [names[id(s)], s.op, [i if isinstance(i, (int, float)) else names[id(i)] for i in s.inputs]]
                )
    return graph
