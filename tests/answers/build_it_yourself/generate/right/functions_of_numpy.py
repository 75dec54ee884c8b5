# %%
NAMES = {"add": "numpy.add", "mul": "numpy.multiply", "matmul": "numpy.matmul", "relu": "numpy.maximum"}


def call(op, inputs):
    args = [call(*i) if isinstance(i, list) else str(i) for i in inputs]
    if op == "relu":
        args.append("0")
    return f"{NAMES[op]}({', '.join(args)})"


def generate(graph, variables):
    body = "".join(f"    {name} = {call(op, inputs)}\n" for name, op, inputs in graph)
    return f"def program({', '.join(variables)}):\n{body}    return {graph[-1][0]}\n"
