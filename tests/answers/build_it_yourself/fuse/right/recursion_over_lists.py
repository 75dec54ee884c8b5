# %%
def fuse(graph):
    def count(name, thing):
        if isinstance(thing, list):
            return sum(count(name, t) for t in thing)
        return 1 if isinstance(thing, str) and thing == name else 0

    def put(name, expr, thing):
        if thing == name:
            return expr
        if isinstance(thing, list):
            return [put(name, expr, t) for t in thing]
        return thing

    lines = [[n, o, list(i)] for n, o, i in graph]
    for name, _, _ in graph:
        here = next(l for l in lines if l[0] == name)
        users = [l for l in lines if count(name, l[2])]
        total = sum(count(name, l[2]) for l in lines)
        if here[1] != "matmul" and total == 1 and users[0][1] != "matmul":
            lines.remove(here)
            lines = [[l[0], l[1], put(name, [here[1], here[2]], l[2])] for l in lines]
    return lines
