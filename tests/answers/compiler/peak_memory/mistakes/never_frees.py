# The checker says: nothing is ever freed

# %%
def peak(program):
    return sum(size for _, size, _ in program)
