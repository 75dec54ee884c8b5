# The checker says: no number

# %%
def peak(program):
    return [size for _, size, _ in program]
