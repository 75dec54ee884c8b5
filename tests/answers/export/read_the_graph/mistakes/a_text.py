# The checker says: returns no list

# %%
def operators_in(file):
    return open(file).read()
