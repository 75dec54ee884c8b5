# The checker says: JAX: arrays of shapes

# %%
def key(framework, x, training):
    if framework == "gluon":
        return ()
    return x.ndim, str(x.dtype), training
