# The checker says: the function wrote only model.params

# %%
def save_and_load(net, x, path):
    net.save_parameters(path + ".params")
    return net
