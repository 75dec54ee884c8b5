# The checker says: the result contains a tuple

# %%
def trace(function, symbols):
    graph, names = [], {}

    def name_of(value):
        if isinstance(value, int | float):
            return value
        if value.op is None:
            return value.name
        if value not in names:
            inputs = tuple(name_of(i) for i in value.inputs)
            names[value] = f"t{len(graph) + 1}"
            graph.append((names[value], value.op, inputs))
        return names[value]

    name_of(function(*symbols))
    return graph
