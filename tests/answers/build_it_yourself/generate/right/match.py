# %%
def text(value):
    match value:
        case ["relu", [x]]:
            return f"(({text(x)}) * (({text(x)}) > 0))" if not isinstance(x, list) else f"numpy.maximum({text(x)}, 0.0)"
        case ["add", [x, y]]:
            return f"({text(x)} + {text(y)})"
        case ["mul", [x, y]]:
            return f"({text(x)} * {text(y)})"
        case ["matmul", [x, y]]:
            return f"numpy.dot({text(x)}, {text(y)})"
        case str():
            return value
        case _:
            return repr(value)


def generate(graph, variables):
    header = f"def program({', '.join(variables)}):"
    return "\n  ".join([header, *[f"{n} = {text([op, i])}" for n, op, i in graph], f"return {graph[-1][0]}"])
