# The checker says: no list of lines

# %%
def merge(program):
    return len(program)
