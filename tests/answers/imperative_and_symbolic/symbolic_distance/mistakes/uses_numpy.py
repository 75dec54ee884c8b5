# The checker says: numpy.linalg

import numpy


# %%
def distance(a, b):
    return numpy.linalg.norm(a - b, axis=1)
