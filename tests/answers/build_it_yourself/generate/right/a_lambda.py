# %%
def generate(graph, variables):
    signs = {"add": "+", "mul": "*", "matmul": "@"}

    def e(v):
        if isinstance(v, list):
            op, i = v
            return f"({e(i[0])}).clip(min=0)" if op == "relu" else f"({e(i[0])} {signs[op]} {e(i[1])})"
        return str(v)

    lines = [f"({name} := {e([op, inputs])})" for name, op, inputs in graph]
    return f"program = lambda {', '.join(variables)}: [{', '.join(lines)}][-1]"
