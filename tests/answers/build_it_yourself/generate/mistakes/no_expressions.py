# The checker says: asked for a program of t1 = x @ w; t2 = relu(t1 + b), raised

# %%
def generate(graph, variables):
    patterns = {"add": "{} + {}", "mul": "{} * {}", "matmul": "{} @ {}", "relu": "numpy.maximum({}, 0)"}
    lines = [f"def program({', '.join(variables)}):"]
    for name, op, inputs in graph:
        lines.append(f"    {name} = {patterns[op].format(*inputs)}")
    lines.append(f"    return {graph[-1][0]}")
    return "\n".join(lines)
