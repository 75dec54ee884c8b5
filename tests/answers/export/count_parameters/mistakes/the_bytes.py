# The checker says: which is not the number of trained elements

# %%
def learned_numbers(file):
    return len(open(file, "rb").read())
