# The checker says: no line of it asks for a value

# %%
diagnosis = {"a": "error", "b": "error", "c": "same", "d": "silent", "e": "error", "f": "same", "g": "silent"}
