from d2lhybrid import gluon


# %%
def save_and_load(net, x, path):
    net.hybridize(static_alloc=True)
    net(x)
    net.export(path, remove_amp_cast=True)
    symbol_file, params_file = f"{path}-symbol.json", f"{path}-{0:04d}.params"
    block = gluon.SymbolBlock.imports(symbol_file, ["data"])
    block.load_parameters(params_file, ignore_extra=True)
    return block
