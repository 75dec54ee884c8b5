import numpy


# %%
def binary(f):
    return lambda self, other: Array(f(self.value, other.value if hasattr(other, "value") else other))


class Array:
    def __init__(self, numbers):
        self.value = numpy.asarray(numbers)

    __add__ = binary(numpy.add)
    __mul__ = binary(numpy.multiply)
    __matmul__ = binary(numpy.dot)
    relu = lambda self: Array(self.value * (self.value > 0))
