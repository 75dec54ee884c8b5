# %%
def trace(function, symbols):
    graph, names = [], {}

    def name_of(value):
        if isinstance(value, int | float):
            return value
        if value.op is None:
            return value.name
        if value.op not in names:
            inputs = [name_of(i) for i in value.inputs]
            names[value.op] = f"t{len(graph) + 1}"
            graph.append([names[value.op], value.op, inputs])
        return names[value.op]

    name_of(function(*symbols))
    return graph
