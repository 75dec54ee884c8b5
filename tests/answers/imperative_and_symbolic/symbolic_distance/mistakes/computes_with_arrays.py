# The checker says: Argument data must have NDArray type

from d2lhybrid import nd


# %%
def distance(a, b):
    return nd.sqrt(nd.sum(nd.square(a - b), axis=1))
