# %%
def generate(graph, variables):
    def e(i):
        if isinstance(i, (list, tuple)):
            op, a = i
            a = [e(k) for k in a]
            return {
                "add": lambda: f"({a[0]} + {a[1]})",
                "mul": lambda: f"({a[0]} * {a[1]})",
                "matmul": lambda: f"({a[0]} @ {a[1]})",
                "relu": lambda: f"np.maximum(0, {a[0]})",
            }[op]()
        return str(i)

    source = ["import numpy as np", "", "def program(%s):" % ", ".join(variables)]
    source += ["  %s = %s" % (n, e([op, i])) for n, op, i in graph]
    source += ["  return %s" % graph[-1][0]]
    return "\n".join(source)
