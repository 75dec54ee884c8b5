import numpy


# %%
class Array:
    def __init__(self, numbers):
        self.value = numpy.asarray(numbers)

    def relu(self):
        return Array(numpy.clip(self.value, 0, None))


def _method(function):
    def method(self, other):
        return Array(function(self.value, getattr(other, "value", other)))

    return method


for _name, _function in [("__add__", numpy.add), ("__mul__", numpy.multiply), ("__matmul__", numpy.matmul)]:
    setattr(Array, _name, _method(_function))
