# The checker says: Gluon: arrays that differ only in their values

# %%
def key(framework, x, training):
    return x.asnumpy().tolist(), training
