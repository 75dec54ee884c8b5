# The checker says: a computed symbol has a `name`

# %%
class Symbol:
    def __init__(self, name, op=None, inputs=()):
        self.name = name
        self.op = op
        self.inputs = list(inputs)

    def __add__(self, other):
        return Symbol("sum", "add", [self, other])

    def __mul__(self, other):
        return Symbol("product", "mul", [self, other])

    def __matmul__(self, other):
        return Symbol("matrix product", "matmul", [self, other])

    def relu(self):
        return Symbol("positive", "relu", [self])
