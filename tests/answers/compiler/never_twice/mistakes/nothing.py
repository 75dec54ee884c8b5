# The checker says: not return a list of lines

# %%
def merge(program):
    return len(program)
