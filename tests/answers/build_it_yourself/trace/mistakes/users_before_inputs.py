# The checker says: the line `t1` uses `t2`, which is neither

# %%
def trace(function, symbols):
    graph, names = [], {}

    def name_of(value):
        if isinstance(value, int | float):
            return value
        if value.op is None:
            return value.name
        if value not in names:
            names[value] = f"t{len(names) + 1}"
            line = [names[value], value.op, []]
            graph.append(line)
            line[2] = [name_of(i) for i in value.inputs]
        return names[value]

    name_of(function(*symbols))
    return graph
