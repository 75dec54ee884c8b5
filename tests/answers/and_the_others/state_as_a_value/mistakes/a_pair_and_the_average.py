# The checker says: the function returns tuple, 2

# %%
def average(total, count, x):
    total, count = total + x, count + 1
    return (total, count), total / count
