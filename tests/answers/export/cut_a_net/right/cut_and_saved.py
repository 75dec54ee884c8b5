from d2lhybrid import gluon, sym


# %%
def cut(symbol_file, params_file, output):
    part = sym.load(symbol_file).get_internals()[output]
    name = symbol_file.replace("-symbol", "-part")
    part.save(name)
    block = gluon.SymbolBlock.imports(name, ["data"])
    block.load_parameters(params_file, ignore_extra=True)
    return block
