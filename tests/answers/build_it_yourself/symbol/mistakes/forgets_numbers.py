# The checker says: has the length 1 instead of 2

# %%
class Symbol:
    def __init__(self, name, op=None, inputs=()):
        self.name = name
        self.op = op
        self.inputs = [i for i in inputs if isinstance(i, Symbol)]

    def __add__(self, other):
        return Symbol(None, "add", [self, other])

    def __mul__(self, other):
        return Symbol(None, "mul", [self, other])

    def __matmul__(self, other):
        return Symbol(None, "matmul", [self, other])

    def relu(self):
        return Symbol(None, "relu", [self])
