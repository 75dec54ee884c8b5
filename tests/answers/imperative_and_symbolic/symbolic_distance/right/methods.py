# %%
def distance(a, b):
    return (a - b).square().sum(axis=1).sqrt()
