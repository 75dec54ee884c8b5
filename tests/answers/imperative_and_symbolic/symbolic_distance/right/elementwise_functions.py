from d2lhybrid import sym


# %%
def distance(a, b):
    squares = sym.power(sym.elemwise_sub(lhs=a, rhs=b), 2)
    return sym.sqrt(data=sym.sum(data=squares, axis=1))
