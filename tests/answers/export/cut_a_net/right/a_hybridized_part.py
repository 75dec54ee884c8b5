from d2lhybrid import gluon, sym


# %%
def cut(symbol_file, params_file, output):
    block = gluon.SymbolBlock(sym.load(symbol_file).get_internals()[output], sym.var("data"))
    block.load_parameters(params_file, ignore_extra=True)
    block.hybridize()
    return block
