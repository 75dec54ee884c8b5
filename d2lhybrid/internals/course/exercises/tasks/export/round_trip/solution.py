from d2lhybrid import gluon


# %%
def save_and_load(net, x, path):
    net.hybridize()
    net(x)
    net.export(path)
    return gluon.SymbolBlock.imports(path + "-symbol.json", ["data"], path + "-0000.params")
