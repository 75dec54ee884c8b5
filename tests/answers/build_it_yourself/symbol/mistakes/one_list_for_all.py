# The checker says: `inputs` that are not an empty list

# %%
class Symbol:
    def __init__(self, name, op=None, inputs=[]):  # noqa: B006
        self.name = name
        self.op = op
        self.inputs = inputs

    def _made(self, op, *others):
        result = Symbol(None, op)
        result.inputs.extend([self, *others])
        return result

    def __add__(self, other):
        return self._made("add", other)

    def __mul__(self, other):
        return self._made("mul", other)

    def __matmul__(self, other):
        return self._made("matmul", other)

    def relu(self):
        return self._made("relu")
