# The checker says: which is not the number of elements in the learned arrays

# %%
def learned_numbers(file):
    return len(open(file, "rb").read())
