from d2lhybrid.gluon import nn


# %%
def save_and_load(net, x, path):
    if not net._active:
        net.hybridize()
    for _ in range(2):
        net(x)
    net.export(path)
    loaded = nn.SymbolBlock.imports(path + "-symbol.json", ["data"], path + "-0000.params")
    loaded.hybridize()
    loaded(x)
    return loaded
