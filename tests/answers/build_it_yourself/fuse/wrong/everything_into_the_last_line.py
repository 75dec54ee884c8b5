# %%
def fuse(graph):
    expressions = {}

    def expand(i):
        return expressions.get(i, i) if isinstance(i, str) else i

    for name, op, inputs in graph:
        expressions[name] = [op, [expand(i) for i in inputs]]
    name = graph[-1][0]
    return [[name, *expressions[name]]]
