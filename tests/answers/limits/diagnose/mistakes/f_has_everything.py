# The checker says: function `array` for symbols

# %%
diagnosis = {"a": "error", "b": "silent", "c": "same", "d": "silent", "e": "same", "f": "same", "g": "silent"}
