from d2lhybrid import gluon, sym


# %%
def save_and_load(net, x, path):
    net.hybridize()
    net(x)
    net.export(path)
    data = sym.var("data")
    return gluon.SymbolBlock(net(data), data, params=net.collect_params())
