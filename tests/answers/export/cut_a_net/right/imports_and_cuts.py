import d2lhybrid as mx
from d2lhybrid import gluon, sym


# %%
def cut(symbol_file, params_file, output):
    symbol = sym.load(symbol_file)
    inner = symbol.get_internals()[output]
    block = gluon.SymbolBlock(outputs=inner, inputs=sym.var("data"))
    block.load_parameters(params_file, ctx=mx.cpu(), ignore_extra=True)
    return block
