from d2lhybrid import gluon, sym


# %%
def save_and_load(net, x, path):
    net.hybridize()
    net(x)
    net.export(path)
    symbol = sym.load(path + "-symbol.json")
    block = gluon.SymbolBlock(symbol, sym.var("data"))
    block.load_parameters(path + "-0000.params")
    return block
