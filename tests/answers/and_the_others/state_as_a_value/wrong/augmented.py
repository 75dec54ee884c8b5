# %%
def average(total, count, x):
    total += x
    count += 1
    return total, count, total / count
