# The checker says: has changed

import numpy


# %%
class Array:
    def __init__(self, numbers):
        self.value = numpy.asarray(numbers)

    def __add__(self, other):
        self.value = self.value + getattr(other, "value", other)
        return self

    def __mul__(self, other):
        self.value = self.value * getattr(other, "value", other)
        return self

    def __matmul__(self, other):
        self.value = self.value @ other.value
        return self

    def relu(self):
        self.value = numpy.maximum(self.value, 0)
        return self
