# The checker says: Gluon: arrays of types

# %%
def key(framework, x, training):
    if framework == "gluon":
        return str(x.dtype)
    return x.shape, str(x.dtype), training
