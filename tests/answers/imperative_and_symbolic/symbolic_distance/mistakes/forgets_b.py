# The checker says: does not depend on b

from d2lhybrid import sym


# %%
def distance(a, b):
    return sym.sqrt(sym.sum(a * a, axis=1))
