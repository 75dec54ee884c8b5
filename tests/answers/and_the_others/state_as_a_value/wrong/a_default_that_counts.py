# %%
def average(total, count, x, counted=[0]):
    counted[0] += 1
    return total + x, count + 1, (total + x) / counted[0]
