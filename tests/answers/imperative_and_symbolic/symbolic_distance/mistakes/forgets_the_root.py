# The checker says: squares of distances

from d2lhybrid import sym


# %%
def distance(a, b):
    return sym.sum(sym.square(a - b), axis=1)
