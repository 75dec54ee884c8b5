# The checker says: not return a list

# %%
def operators_in(file):
    return open(file).read()
