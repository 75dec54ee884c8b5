# The checker says: not a NumPy array

import numpy


# %%
class Array:
    def __init__(self, numbers):
        self.value = numbers

    def __add__(self, other):
        return Array(numpy.add(self.value, getattr(other, "value", other)))

    def __mul__(self, other):
        return Array(numpy.multiply(self.value, getattr(other, "value", other)))

    def __matmul__(self, other):
        return Array(numpy.matmul(self.value, other.value))

    def relu(self):
        return Array(numpy.maximum(self.value, 0))
