# %%
def method(op):
    return lambda self, *others: Symbol(None, op, [self, *others])


class Symbol:
    def __init__(self, name, op=None, inputs=None):
        self.name = name
        self.op = op
        self.inputs = [] if inputs is None else inputs

    __add__ = method("add")
    __mul__ = method("mul")
    __matmul__ = method("matmul")
    relu = method("relu")
