# The checker says: in which mode was it traced

# %%
diagnosis = {"a": "error", "b": "silent", "c": "same", "d": "silent", "e": "error", "f": "same", "g": "same"}
