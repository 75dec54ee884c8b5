from d2lhybrid import gluon


# %%
def save_and_load(net, x, path):
    import glob

    net.hybridize()
    net(x)
    net.export(path)
    (symbol_file,) = glob.glob(path + "*.json")
    (params_file,) = glob.glob(path + "*.params")
    return gluon.SymbolBlock.imports(symbol_file, ["data"], params_file)
