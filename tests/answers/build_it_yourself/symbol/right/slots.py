# %%
class Symbol:
    __slots__ = ("inputs", "name", "op")

    def __init__(self, name, op=None, *inputs):
        self.name = name
        self.op = op
        self.inputs = list(inputs)

    def __add__(self, other):
        return type(self)(None, "add", self, other)

    def __mul__(self, other):
        return type(self)(None, "mul", self, other)

    def __matmul__(self, other):
        return type(self)(None, "matmul", self, other)

    def relu(self):
        return type(self)(None, "relu", self)
