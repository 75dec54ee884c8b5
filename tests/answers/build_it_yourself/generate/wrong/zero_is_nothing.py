# %%
def generate(graph, variables):
    def text(value):
        if not value:
            return ""
        if not isinstance(value, list):
            return str(value)
        op, (first, *rest) = value
        second = rest[0] if rest else None
        if op == "relu":
            return f"numpy.maximum({text(first)}, 0)"
        return f"({text(first)} {dict(add='+', mul='*', matmul='@')[op]} {text(second) or '1'})"

    lines = [f"    {name} = {text([op, inputs])}" for name, op, inputs in graph]
    return "\n".join([f"def program({', '.join(variables)}):", *lines, f"    return {graph[-1][0]}"])
