# The checker says: it is the value of a first call. State that the function

# %%
summed, counted = 0, 0


def average(total, count, x):
    global summed, counted
    summed, counted = summed + x, counted + 1
    return summed, count + 1, summed / (count + 1)
