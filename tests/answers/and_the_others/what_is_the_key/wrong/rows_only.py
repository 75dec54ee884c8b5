# %%
def key(framework, x, training):
    return 1 if framework == "gluon" else (len(x), x.ndim, str(x.dtype), training)
