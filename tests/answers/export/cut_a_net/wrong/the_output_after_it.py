from d2lhybrid import gluon, sym


# %%
def cut(symbol_file, params_file, output):
    symbol = sym.load(symbol_file)
    names = [n for n in symbol.get_internals().list_outputs() if n.endswith("_output")]
    block = gluon.SymbolBlock(symbol.get_internals()[names[names.index(output) + 1]], sym.var("data"))
    block.load_parameters(params_file, ignore_extra=True)
    return block
