from d2lhybrid import gluon, nd, sym


# %%
def cut(symbol_file, params_file, output):
    inner = sym.load(symbol_file).get_internals()[output]
    block = gluon.SymbolBlock(inner, sym.var("data"))
    arrays = {name.split(":")[1]: array for name, array in nd.load(params_file).items()}
    for name, parameter in block.collect_params().items():
        parameter.shape = arrays[name].shape
        parameter.initialize()
        parameter.set_data(arrays[name])
    return block
