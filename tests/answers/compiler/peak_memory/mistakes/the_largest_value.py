# The checker says: the size of the largest value

# %%
def peak(program):
    return max(size for _, size, _ in program)
