# The checker says: used several times needs only one

# %%
def trace(function, symbols):
    graph = []

    def name_of(value):
        if isinstance(value, int | float):
            return value
        if value.op is None:
            return value.name
        inputs = [name_of(i) for i in value.inputs]
        graph.append([f"t{len(graph) + 1}", value.op, inputs])
        return graph[-1][0]

    name_of(function(*symbols))
    return graph
