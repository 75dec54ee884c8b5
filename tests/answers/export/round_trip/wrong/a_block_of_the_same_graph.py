from d2lhybrid import gluon, sym


# %%
def save_and_load(net, x, path):
    net.hybridize()
    net(x)
    net.export(path)
    data = sym.var("data")
    block = gluon.SymbolBlock(net(data), data)
    for name, parameter in net.collect_params().items():
        block.collect_params()[name].set_data(parameter.data())
    return block
