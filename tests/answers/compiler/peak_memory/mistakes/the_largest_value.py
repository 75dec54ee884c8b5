# The checker says: the largest value alone

# %%
def peak(program):
    return max(size for _, size, _ in program)
