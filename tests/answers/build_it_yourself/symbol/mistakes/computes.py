# The checker says: unsupported operand type(s)

# %%
class Symbol:
    def __init__(self, name):
        self.name = name
        self.op = None
        self.inputs = []

    def __add__(self, other):
        return self.name - other.name

    def __mul__(self, other):
        return self.name * other.name

    def __matmul__(self, other):
        return self.name @ other.name

    def relu(self):
        return max(self.name, 0)
