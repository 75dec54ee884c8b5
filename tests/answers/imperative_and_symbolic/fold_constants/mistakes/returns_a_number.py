# The checker says: not a string

# %%
def fold(text):
    return eval(text)
