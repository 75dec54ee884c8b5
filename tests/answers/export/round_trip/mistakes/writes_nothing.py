# The checker says: wrote no file

# %%
def save_and_load(net, x, path):
    return net
