# The checker says: nothing it reads has changed

# %%
def guarded(trace, read):
    return lambda x: trace()(x)
