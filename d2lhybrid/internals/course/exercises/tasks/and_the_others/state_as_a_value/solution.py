# %%
def average(total, count, x):
    total, count = total + x, count + 1
    return total, count, total / count
