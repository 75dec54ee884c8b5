# %%
class Symbol:
    def __init__(self, name):
        self.name = name
        self.op = None
        self.inputs = []

    def __add__(self, other):
        return ("add", self, other)

    def __mul__(self, other):
        return ("mul", self, other)

    def __matmul__(self, other):
        return ("matmul", self, other)

    def relu(self):
        return ("relu", self)
