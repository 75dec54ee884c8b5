# The checker says: JAX: arrays of types

# %%
def key(framework, x, training):
    return () if framework == "gluon" else (x.shape, training)
