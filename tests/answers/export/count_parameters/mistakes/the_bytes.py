# The checker says: the function does not return the number of trained elements but

# %%
def learned_numbers(file):
    return len(open(file, "rb").read())
