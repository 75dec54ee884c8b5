from d2lhybrid import gluon, sym


# %%
def save_and_load(net, x, path):
    net.hybridize()
    net(x)
    net.export(path)
    block = gluon.SymbolBlock(sym.load(path + "-symbol.json"), sym.var("data"))
    block.collect_params().load(path + "-0000.params", ignore_extra=True, restore_prefix="")
    return block
