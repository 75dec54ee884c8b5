# %%
def key(framework, x, training):
    return 1 if framework == "gluon" else (x.size, str(x.dtype), training)
