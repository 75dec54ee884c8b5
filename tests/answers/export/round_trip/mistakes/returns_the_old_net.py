# The checker says: the returned block are zero, too

# %%
def save_and_load(net, x, path):
    net.hybridize()
    net(x)
    net.export(path)
    return net
