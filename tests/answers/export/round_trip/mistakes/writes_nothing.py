# The checker says: Nothing was written

# %%
def save_and_load(net, x, path):
    return net
