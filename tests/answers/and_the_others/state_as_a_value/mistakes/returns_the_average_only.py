# The checker says: the function returns Symbol

# %%
def average(total, count, x):
    return (total + x) / (count + 1)
