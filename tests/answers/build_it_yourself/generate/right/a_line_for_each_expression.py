# %%
def generate(graph, variables):
    lines, count = [], 0

    def write(name, op, inputs):
        nonlocal count
        texts = []
        for i in inputs:
            if isinstance(i, list):
                count += 1
                inner = f"inner_{count}"
                write(inner, *i)
                texts.append(inner)
            else:
                texts.append(str(i))
        sign = {"add": " + ", "mul": " * ", "matmul": " @ "}
        lines.append(f"{name} = " + (f"numpy.maximum({texts[0]}, 0)" if op == "relu" else sign[op].join(texts)))

    for line in graph:
        write(*line)
    return f"def program({', '.join(variables)}):\n    " + "\n    ".join(lines) + f"\n    return {graph[-1][0]}"
