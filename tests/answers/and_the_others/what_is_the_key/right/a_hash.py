# %%
def key(framework, x, training):
    return hash((x.shape, str(x.dtype), training)) if framework != "gluon" else hash(())
