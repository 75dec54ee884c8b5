# %%
def save_and_load(net, x, path):
    import copy

    net.hybridize()
    net(x)
    net.export(path)
    return copy.deepcopy(net)
