# The checker says: Function asnumpy

import numpy


# %%
def average(total, count, x):
    total = numpy.add(total.asnumpy(), x.asnumpy())
    return total, count + 1, total / (count + 1)
