from d2lhybrid import gluon, sym


# %%
def cut(symbol_file, params_file, output):
    internals = sym.load(symbol_file).get_internals()
    block = gluon.SymbolBlock(internals[output], sym.var("data"))
    block.collect_params().load(params_file, ignore_extra=True)
    return block
