import numpy


# %%
class Array:
    def __init__(self, numbers):
        self._numbers = numpy.array(numbers, copy=True)

    @property
    def value(self):
        return self._numbers

    def _binary(self, other, op):
        return Array(op(self._numbers, other._numbers if isinstance(other, Array) else other))

    def __add__(self, other):
        return self._binary(other, lambda x, y: x + y)

    def __mul__(self, other):
        return self._binary(other, lambda x, y: x * y)

    def __matmul__(self, other):
        return self._binary(other, lambda x, y: x @ y)

    def relu(self):
        return self._binary(0, numpy.maximum)
