from d2lhybrid import gluon, sym


# %%
def cut(symbol_file, params_file, output):
    internals = sym.load(symbol_file).get_internals()
    first = [n for n in internals.list_outputs() if n.endswith("_output")][0]
    block = gluon.SymbolBlock(internals[first], sym.var("data"))
    block.load_parameters(params_file, ignore_extra=True)
    return block
