# The checker says: Dropout is an operator

# %%
diagnosis = {"a": "error", "b": "silent", "c": "same", "d": "silent", "e": "error", "f": "silent", "g": "silent"}
