# %%
def key(framework, x, training):
    return 1 if framework == "gluon" else (x.shape, x.asnumpy().dtype.kind, training)
