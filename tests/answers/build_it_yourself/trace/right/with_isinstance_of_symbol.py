# %%
class Symbol:
    def __init__(self, name, op=None, inputs=()):
        self.name = name
        self.op = op
        self.inputs = list(inputs)


def trace(function, symbols):
    graph, names = [], {}

    def visit(value):
        if not isinstance(value, Symbol):
            return value
        if value.op is None:
            return value.name
        if value not in names:
            line = ["", value.op, [visit(i) for i in value.inputs]]
            names[value] = line[0] = f"x{len(graph)}"
            graph.append(line)
        return names[value]

    visit(function(*symbols))
    return graph
