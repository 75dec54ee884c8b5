from d2lhybrid import sym


# %%
def distance(a, b):
    return sym.sqrt(sym.square(sym.broadcast_sub(a, b)).sum(axis=1))
