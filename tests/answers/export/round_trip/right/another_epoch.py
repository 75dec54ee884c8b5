import d2lhybrid as mx
from d2lhybrid import gluon


# %%
def save_and_load(net, x, path):
    net.hybridize()
    net.forward(x)
    net.export(path, epoch=7)
    return gluon.SymbolBlock.imports(path + "-symbol.json", ["data"], path + "-0007.params", ctx=mx.cpu())
