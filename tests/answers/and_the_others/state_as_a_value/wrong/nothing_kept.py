# %%
def average(total, count, x):
    return x, count * 0 + 1, x
