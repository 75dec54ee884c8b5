# %%
class Symbol:
    count = 0

    def __init__(self, name):
        Symbol.count += 1
        self.number = Symbol.count
        self.name = name
        self.op = None
        self.inputs = []


def add_method(method_name, op):
    def method(self, *others):
        new = Symbol(None)
        new.op = op
        new.inputs.append(self)
        for other in others:
            new.inputs.append(other)
        return new

    setattr(Symbol, method_name, method)


for method_name, op in {"__add__": "add", "__mul__": "mul", "__matmul__": "matmul", "relu": "relu"}.items():
    add_method(method_name, op)
