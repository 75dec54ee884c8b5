# The checker says: Gluon: calls with `training=True`

# %%
def key(framework, x, training):
    if framework == "gluon":
        return training
    return x.shape, str(x.dtype), training
