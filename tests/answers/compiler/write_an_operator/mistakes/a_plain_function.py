# The checker says: Is the decorator

# %%
def bent(xp, data, curve=1.0):
    return data + curve * (xp.sqrt(data * data + 1) - 1)
