# The checker says: neither a name nor a number

# %%
def trace(function, symbols):
    graph = []

    def visit(value):
        if hasattr(value, "op") and value.op is not None and value not in [line[0] for line in graph]:
            for i in value.inputs:
                visit(i)
            graph.append([f"t{len(graph)}", value.op, value.inputs])

    visit(function(*symbols))
    return graph
