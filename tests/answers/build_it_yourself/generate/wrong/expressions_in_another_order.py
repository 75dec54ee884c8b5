# %%
def generate(graph, variables):
    lines = []

    def write(name, op, inputs):
        inputs = sorted(inputs, key=lambda i: isinstance(i, list))
        texts = []
        for i in inputs:
            if isinstance(i, list):
                write(f"inner{len(lines)}", *i)
                texts.append(lines[-1].split(" = ")[0])
            else:
                texts.append(str(i))
        sign = {"add": " + ", "mul": " * ", "matmul": " @ "}
        lines.append(f"{name} = " + (f"numpy.maximum({texts[0]}, 0)" if op == "relu" else sign[op].join(texts)))

    for line in graph:
        write(*line)
    return f"def program({', '.join(variables)}):\n    " + "\n    ".join(lines) + f"\n    return {graph[-1][0]}"
