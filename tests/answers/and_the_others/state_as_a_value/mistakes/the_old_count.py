# The checker says: the new `count` is wrong: it is the old one

# %%
def average(total, count, x):
    total = total + x
    return total, count, total / (count + 1)
