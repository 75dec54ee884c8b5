from d2lhybrid import gluon, sym


# %%
def cut(symbol_file, params_file, output):
    internals = sym.load(symbol_file).get_internals()
    place = internals.list_outputs().index(output)
    block = gluon.SymbolBlock(internals[place], [sym.var("data")])
    block.load_parameters(params_file, ignore_extra=True)
    return block
