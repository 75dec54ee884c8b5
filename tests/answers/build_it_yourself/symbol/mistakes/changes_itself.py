# The checker says: although it is a variable

# %%
class Symbol:
    def __init__(self, name):
        self.name = name
        self.op = None
        self.inputs = []

    def _note(self, op, *inputs):
        self.op = op
        self.inputs = list(inputs)
        return self

    def __add__(self, other):
        return self._note("add", self, other)

    def __mul__(self, other):
        return self._note("mul", self, other)

    def __matmul__(self, other):
        return self._note("matmul", self, other)

    def relu(self):
        return self._note("relu", self)
