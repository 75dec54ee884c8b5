# The checker says: of type function, not a string

# %%
def generate(graph, variables):
    patterns = {"add": "{} + {}", "mul": "{} * {}", "matmul": "{} @ {}", "relu": "numpy.maximum({}, 0)"}
    lines = [f"def program({', '.join(variables)}):"]
    for name, op, inputs in graph:
        lines.append(f"    {name} = {patterns[op].format(*inputs)}")
    lines.append(f"    return {graph[-1][0]}")
    space = {}
    exec("\n".join(lines), space)
    return space["program"]
