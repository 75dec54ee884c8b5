# The checker says: For `(1 + 2)`, the result still contains a computation without variables

# %%
def fold(text):
    return text
