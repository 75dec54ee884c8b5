# The checker says: returns no text

# %%
def fold(text):
    return eval(text)
