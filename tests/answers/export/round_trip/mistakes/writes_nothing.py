# The checker says: No file was written

# %%
def save_and_load(net, x, path):
    return net
