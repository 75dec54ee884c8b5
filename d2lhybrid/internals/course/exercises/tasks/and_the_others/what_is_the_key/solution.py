# %%
def key(framework, x, training):
    if framework == "gluon":
        return ()
    return x.shape, str(x.dtype), training
