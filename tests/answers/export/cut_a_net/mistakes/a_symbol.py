# The checker says: returns a Symbol, not a block

from d2lhybrid import sym


# %%
def cut(symbol_file, params_file, output):
    symbol = sym.load(symbol_file)
    return symbol.get_internals()[output]
