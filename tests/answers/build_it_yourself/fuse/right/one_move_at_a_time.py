# %%
def fuse(graph):
    def once(graph):
        for line in graph:
            name, op, inputs = line
            if op == "matmul":
                continue
            places = [(other, k) for other in graph for k, i in enumerate(other[2]) if isinstance(i, str) and i == name]
            if len(places) == 1 and places[0][0][1] != "matmul" and repr(graph).count(repr(name)) == 2:
                target = places[0][0]
                new = []
                for other in graph:
                    if other is line:
                        continue
                    if other is target:
                        other = [other[0], other[1], [[op, inputs] if i == name else i for i in other[2]]]
                    new.append(other)
                return new
        return None

    while True:
        better = once(graph)
        if better is None:
            return [list(line) for line in graph]
        graph = better
