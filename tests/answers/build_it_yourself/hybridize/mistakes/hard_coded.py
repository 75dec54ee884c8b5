# The checker says: and no program for that was there

# %%
def hybridize(function, compiler):
    return lambda *arrays: arrays[0]
