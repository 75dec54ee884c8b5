# The checker says: learned numbers but

# %%
def learned_numbers(file):
    return len(open(file, "rb").read())
