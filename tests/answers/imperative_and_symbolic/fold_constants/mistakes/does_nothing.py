# The checker says: For `(1 + 2)` a part of the result still computes without variables

# %%
def fold(text):
    return text
