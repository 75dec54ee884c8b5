# %%
def fuse(graph):
    def is_ew(op):
        return op != "matmul"

    by_name = {name: (op, inputs) for name, op, inputs in graph}

    def uses(name):
        return [op for _, op, inputs in graph for i in inputs if i == name]

    def moves(name):
        return name in by_name and is_ew(by_name[name][0]) and len(uses(name)) == 1 and is_ew(uses(name)[0])

    def expand(i):
        if isinstance(i, str) and moves(i):
            op, inputs = by_name[i]
            return [op, [expand(j) for j in inputs]]
        return i

    return [[n, op, [expand(i) for i in inputs]] for n, op, inputs in graph if not moves(n)]
