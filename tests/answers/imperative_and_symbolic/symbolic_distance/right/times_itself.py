from d2lhybrid import sym


# %%
def distance(a, b):
    difference = a - b
    return sym.sum(difference * difference, axis=1) ** 0.5
