# The checker says: __bool__

# %%
def average(total, count, x):
    if count.sum() == 0:
        return x, count + 1, x
    return total + x, count + 1, (total + x) / (count + 1)
