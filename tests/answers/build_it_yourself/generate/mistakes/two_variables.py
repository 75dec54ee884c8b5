# The checker says: takes 2 positional arguments

# %%
def generate(graph, variables):
    patterns = {"add": "({} + {})", "mul": "({} * {})", "matmul": "({} @ {})", "relu": "numpy.maximum({}, 0)"}

    def text_of(value):
        if isinstance(value, list):
            op, inputs = value
            return patterns[op].format(*map(text_of, inputs))
        return str(value)

    lines = ["def program(x, w):"]
    for name, op, inputs in graph:
        lines.append(f"    {name} = {text_of([op, inputs])}")
    lines.append(f"    return {graph[-1][0]}")
    return "\n".join(lines)
