from d2lhybrid import sym


# %%
x, y = sym.var("x"), sym.var("y")
formula = sym.sqrt(sym.sum(sym.square(x - y), axis=1))


def distance(a, b):
    return formula(x=a, y=b)
