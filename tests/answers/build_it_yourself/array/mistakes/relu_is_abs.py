# The checker says: negative elements become 0, not positive

import numpy


# %%
class Array:
    def __init__(self, numbers):
        self.value = numpy.asarray(numbers)

    def __add__(self, other):
        return Array(self.value + getattr(other, "value", other))

    def __mul__(self, other):
        return Array(self.value * getattr(other, "value", other))

    def __matmul__(self, other):
        return Array(self.value @ other.value)

    def relu(self):
        return Array(abs(self.value))
