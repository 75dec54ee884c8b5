# The checker says: nothing was traced, and no program ran

# %%
def guarded(trace, read):
    return lambda x: x
