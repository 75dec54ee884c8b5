# The checker says: the program computes values more than once

# %%
def generate(graph, variables):
    patterns = {"add": "({} + {})", "mul": "({} * {})", "matmul": "({} @ {})", "relu": "numpy.maximum({}, 0)"}
    texts = {}

    def text_of(value):
        if isinstance(value, list):
            op, inputs = value
            return patterns[op].format(*map(text_of, inputs))
        return texts.get(value, str(value))

    for name, op, inputs in graph:
        texts[name] = text_of([op, inputs])
    return f"def program({', '.join(variables)}):\n    return {texts[graph[-1][0]]}"
