import numpy


# %%
class Array:
    def __init__(self, numbers):
        self.numbers = numpy.asarray(numbers)

    def value(self):
        return self.numbers

    def __add__(self, other):
        return Array(self.numbers + getattr(other, "numbers", other))

    def __mul__(self, other):
        return Array(self.numbers * getattr(other, "numbers", other))

    def __matmul__(self, other):
        return Array(self.numbers @ other.numbers)

    def relu(self):
        return Array(numpy.maximum(self.numbers, 0))
