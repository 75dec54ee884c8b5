# The checker says: not return a block but a Symbol

from d2lhybrid import sym


# %%
def cut(symbol_file, params_file, output):
    symbol = sym.load(symbol_file)
    return symbol.get_internals()[output]
