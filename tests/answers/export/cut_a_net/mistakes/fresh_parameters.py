# The checker says: has the right shape, but wrong values

from d2lhybrid import gluon, sym


# %%
def cut(symbol_file, params_file, output):
    symbol = sym.load(symbol_file)
    block = gluon.SymbolBlock(symbol.get_internals()[output], sym.var("data"))
    block.initialize()
    return block
