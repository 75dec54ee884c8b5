# The checker says: have the same key

# %%
def key(framework, x, training):
    return framework
