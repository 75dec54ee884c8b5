import d2lhybrid as mx
from d2lhybrid import gluon


# %%
def cut(symbol_file, params_file, output):
    symbol, arg, aux = mx.model.load_checkpoint(symbol_file[: -len("-symbol.json")], 0)
    block = gluon.SymbolBlock(symbol.get_internals()[output], mx.sym.var("data"))
    for name, parameter in block.collect_params().items():
        parameter._load_init({**arg, **aux}[name], mx.cpu())
    return block
