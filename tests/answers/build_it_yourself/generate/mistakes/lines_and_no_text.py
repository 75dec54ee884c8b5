# The checker says: of type list, not a string

# %%
def generate(graph, variables):
    patterns = {"add": "{} + {}", "mul": "{} * {}", "matmul": "{} @ {}", "relu": "numpy.maximum({}, 0)"}

    def text_of(op, inputs):
        texts = [f"({text_of(*i)})" if isinstance(i, list) else str(i) for i in inputs]
        return patterns[op].format(*texts)

    lines = [f"def program({', '.join(variables)}):"]
    for name, op, inputs in graph:
        lines.append(f"    {name} = {text_of(op, inputs)}")
    lines.append(f"    return {graph[-1][0]}")
    return lines
