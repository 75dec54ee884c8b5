# The checker says: Gluon: arrays that differ in their numbers only

# %%
def key(framework, x, training):
    return x.asnumpy().tolist(), training
