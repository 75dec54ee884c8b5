# %%
class Symbol:
    def __init__(self, name, op=None, inputs=()):
        self.name = name
        self.op = op
        self.inputs = list(inputs)

    def __add__(self, other):
        return Symbol(None, "add", [other, self])

    def __mul__(self, other):
        return Symbol(None, "mul", [other, self])

    def __matmul__(self, other):
        return Symbol(None, "matmul", [other, self])

    def relu(self):
        return Symbol(None, "relu", [self])
