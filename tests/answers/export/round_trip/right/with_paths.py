from d2lhybrid import gluon


# %%
import os


def save_and_load(net, x, path):
    net.hybridize()
    net(x)
    net.export(path, epoch=0)
    assert os.path.exists(f"{path}-symbol.json")
    return gluon.nn.SymbolBlock.imports(f"{path}-symbol.json", "data", f"{path}-0000.params")
