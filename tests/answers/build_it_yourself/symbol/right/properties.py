# %%
class Symbol:
    def __init__(self, name=None, made_by=None):
        self._name = name
        self._made_by = made_by or (None, [])

    @property
    def name(self):
        return self._name

    @property
    def op(self):
        return self._made_by[0]

    @property
    def inputs(self):
        return list(self._made_by[1])

    def __add__(self, other):
        return Symbol(made_by=("add", [self, other]))

    def __mul__(self, other):
        return Symbol(made_by=("mul", [self, other]))

    def __matmul__(self, other):
        return Symbol(made_by=("matmul", [self, other]))

    def relu(self):
        return Symbol(made_by=("relu", [self]))
