# The checker says: is not one of the input symbols

# %%
class Symbol:
    def __init__(self, name, op=None, inputs=()):
        self.name = name
        self.op = op
        self.inputs = list(inputs)

    def __add__(self, other):
        return Symbol(None, "add", [str(self.name), str(getattr(other, "name", other))])

    def __mul__(self, other):
        return Symbol(None, "mul", [str(self.name), str(getattr(other, "name", other))])

    def __matmul__(self, other):
        return Symbol(None, "matmul", [str(self.name), str(other.name)])

    def relu(self):
        return Symbol(None, "relu", [str(self.name)])
