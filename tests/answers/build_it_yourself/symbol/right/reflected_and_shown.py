# %%
class Symbol:
    def __init__(self, name=None, *, op=None, inputs=()):
        self.name = name
        self.op = op
        self.inputs = [*inputs]

    def __repr__(self):
        return self.name or f"{self.op}({', '.join(map(repr, self.inputs))})"

    def __add__(self, other):
        return Symbol(op="add", inputs=(self, other))

    def __radd__(self, other):
        return Symbol(op="add", inputs=(other, self))

    def __mul__(self, other):
        return Symbol(op="mul", inputs=(self, other))

    def __rmul__(self, other):
        return Symbol(op="mul", inputs=(other, self))

    def __matmul__(self, other):
        return Symbol(op="matmul", inputs=(self, other))

    def relu(self):
        return Symbol(op="relu", inputs=(self,))
