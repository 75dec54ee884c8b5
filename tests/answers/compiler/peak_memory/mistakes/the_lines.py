# The checker says: not return a number

# %%
def peak(program):
    return [size for _, size, _ in program]
