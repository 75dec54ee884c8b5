# %%
def trace(function, symbols):
    graph, names = [], {}

    def name_of(value):
        if not hasattr(value, "op"):
            return value
        if value.op is None:
            return value.name
        if value not in names:
            inputs = [name_of(i) for i in value.inputs if i]
            names[value] = f"line{len(graph)}"
            graph.append([names[value], value.op, inputs])
        return names[value]

    name_of(function(*symbols))
    return graph
