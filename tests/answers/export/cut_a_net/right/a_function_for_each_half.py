from d2lhybrid import gluon, sym


# %%
def part_of(file, name):
    symbol = sym.load(file)
    found = [s for s in symbol.get_internals() if s.list_outputs() == [name]]
    return found[0]


def cut(symbol_file, params_file, output):
    block = gluon.nn.SymbolBlock(part_of(symbol_file, output), sym.Variable("data"))
    block.load_parameters(params_file, ignore_extra=True)
    return block
