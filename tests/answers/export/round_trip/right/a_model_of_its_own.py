from d2lhybrid import gluon


# %%
def save(net, x, path):
    net.hybridize()
    net(x)
    net.export(path)


def load(path):
    return gluon.SymbolBlock.imports(path + "-symbol.json", ["data"], path + "-0000.params")


def save_and_load(net, x, path):
    save(net, x, path)
    return load(path)
