# The checker says: the new `count` is wrong: it is the old value

# %%
def average(total, count, x):
    total = total + x
    return total, count, total / (count + 1)
