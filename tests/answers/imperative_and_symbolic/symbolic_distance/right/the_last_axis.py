from d2lhybrid import sym


# %%
def distance(a, b):
    return sym.sqrt(sym.sum_axis(sym.square(b - a), axis=-1))
