# %%
def key(framework, x, training):
    return 1 if framework == "gluon" else (sorted(x.shape), str(x.dtype), training)
