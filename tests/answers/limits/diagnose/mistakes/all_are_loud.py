# The checker says: no line needs a value

# %%
diagnosis = {"a": "error", "b": "error", "c": "same", "d": "silent", "e": "error", "f": "same", "g": "silent"}
