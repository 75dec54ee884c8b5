# The checker says: For `(1 + 2)` there is still work left

# %%
def fold(text):
    return text
