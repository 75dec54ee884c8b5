# The checker says: JAX: calls with `training=True`

# %%
def key(framework, x, training):
    return () if framework == "gluon" else (x.shape, x.dtype)
