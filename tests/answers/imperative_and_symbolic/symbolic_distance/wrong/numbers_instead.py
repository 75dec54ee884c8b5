# %%
def distance(a, b):
    return a.shape
