# The checker says: does not return a symbol but a NDArray

from d2lhybrid import nd


# %%
def distance(a, b):
    return nd.array([1.0, 2.0])
