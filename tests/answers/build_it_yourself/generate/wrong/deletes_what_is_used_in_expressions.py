# %%
def generate(graph, variables):
    def e(v):
        if not isinstance(v, list):
            return str(v)
        op, inputs = v[0], [e(i) for i in v[1]]
        sign = {"add": "+", "mul": "*", "matmul": "@"}
        return f"numpy.maximum({inputs[0]}, 0)" if op == "relu" else f"({inputs[0]} {sign[op]} {inputs[1]})"

    lines = []
    for k, (name, op, inputs) in enumerate(graph):
        lines.append(f"{name} = {e([op, inputs])}")
        later = [i for line in graph[k + 1 :] for i in line[2]]
        gone = [i for i in inputs if i in {n for n, _, _ in graph[:k]} if i not in later]
        lines += [f"del {i}" for i in dict.fromkeys(gone)] if k + 1 < len(graph) else []
    return f"def program({', '.join(variables)}):\n    " + "\n    ".join(lines) + f"\n    return {graph[-1][0]}"
