# The checker says: NameError

# %%
def fold(text):
    return str(eval(text))
