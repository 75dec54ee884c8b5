# %%
def generate(graph, variables):
    text = "def relu(x):\n    return numpy.where(x > 0, x, 0)\n\n"
    text += "def program(" + ", ".join(variables) + "):\n"

    def show(v):
        if isinstance(v, list):
            op, inputs = v
            if op == "relu":
                return f"relu({show(inputs[0])})"
            return f"({show(inputs[0])} {dict(add='+', mul='*', matmul='@')[op]} {show(inputs[1])})"
        return f"({v})" if not isinstance(v, str) else v

    for name, op, inputs in graph:
        text += f"    {name} = {show([op, inputs])}\n"
    return text + f"    return {name}"
