# %%
def average(total, count, x):
    counted = count + 1.0
    old = total / counted
    return total + x, counted, old + x / counted
