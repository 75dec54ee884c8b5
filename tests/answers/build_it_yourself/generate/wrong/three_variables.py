# %%
def generate(graph, variables):
    patterns = {"add": "({} + {})", "mul": "({} * {})", "matmul": "({} @ {})", "relu": "numpy.maximum({}, 0)"}

    def text_of(one):
        if isinstance(one, list):
            return patterns[one[0]].format(*map(text_of, one[1]))
        return str(one)

    lines = ["def program({}, {}, {}):".format(variables[0], variables[1], variables[2])]
    for name, op, inputs in graph:
        lines.append(f"    {name} = {text_of([op, inputs])}")
    lines.append("    return " + graph[-1][0])
    return "\n".join(lines)
