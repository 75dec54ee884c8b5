# The checker says: Gluon: arrays of shapes

# %%
def key(framework, x, training):
    return x.shape, str(x.dtype), training
