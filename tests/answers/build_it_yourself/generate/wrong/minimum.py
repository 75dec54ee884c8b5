# %%
def generate(graph, variables):
    patterns = {"add": "({} + {})", "mul": "({} * {})", "matmul": "({} @ {})", "relu": "numpy.minimum({}, 0)"}

    def text_of(value):
        return patterns[value[0]].format(*map(text_of, value[1])) if isinstance(value, list) else str(value)

    lines = [f"    {name} = {text_of([op, inputs])}" for name, op, inputs in graph]
    return "\n".join([f"def program({', '.join(variables)}):", *lines, f"    return {graph[-1][0]}"])
