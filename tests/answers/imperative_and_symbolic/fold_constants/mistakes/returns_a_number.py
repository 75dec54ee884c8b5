# The checker says: the function does not return a string but a

# %%
def fold(text):
    return eval(text)
