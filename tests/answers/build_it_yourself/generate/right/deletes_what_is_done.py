# %%
def generate(graph, variables):
    def e(v):
        if isinstance(v, list):
            op, i = v
            t = [e(k) for k in i]
            return (
                f"numpy.maximum({t[0]}, 0)"
                if op == "relu"
                else f"({t[0]} {'+*@'[['add', 'mul', 'matmul'].index(op)]} {t[1]})"
            )
        return str(v)

    def names(v):
        return {n for k in v for n in (names(k[1]) if isinstance(k, list) else [k])}

    lines = []
    for k, (name, op, inputs) in enumerate(graph):
        lines.append(f"{name} = {e([op, inputs])}")
        later = set().union(*[names(l[2]) for l in graph[k + 1 :]], {graph[-1][0]})
        gone = [n for n, _, _ in graph[: k + 1] if n not in later and n in names(inputs)]
        if gone:
            lines.append("del " + ", ".join(gone))
    return f"def program({', '.join(variables)}):\n    " + "\n    ".join(lines) + f"\n    return {graph[-1][0]}"
