# %%
def distance(a, b):
    c = a - b
    return (c * c).sum(axis=-1).sqrt()
