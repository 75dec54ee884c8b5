# The checker says: out = a * b: the result has 3 lines

# %%
def merge(program):
    return program
