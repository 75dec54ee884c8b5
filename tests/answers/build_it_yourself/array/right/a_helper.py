import numpy


# %%
def raw(x):
    if isinstance(x, Array):
        return x.value
    return x


class Array(object):
    def __init__(self, numbers):
        self.value = numpy.array(numbers)

    def _new(self, value):
        return Array(value)

    def __add__(self, other):
        return self._new(numpy.add(self.value, raw(other)))

    def __mul__(self, other):
        return self._new(numpy.multiply(self.value, raw(other)))

    def __matmul__(self, other):
        return self._new(numpy.matmul(self.value, raw(other)))

    def relu(self):
        return self._new(numpy.where(self.value > 0, self.value, 0))
