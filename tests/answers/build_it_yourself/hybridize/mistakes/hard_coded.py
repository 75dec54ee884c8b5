# The checker says: although there is no program for these arrays

# %%
def hybridize(function, compiler):
    return lambda *arrays: arrays[0]
