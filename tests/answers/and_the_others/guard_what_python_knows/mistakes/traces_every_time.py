# The checker says: although nothing that it reads has changed

# %%
def guarded(trace, read):
    return lambda x: trace()(x)
