# The checker says: look at `self.count` in the result

# %%
diagnosis = {"a": "error", "b": "silent", "c": "same", "d": "same", "e": "error", "f": "same", "g": "silent"}
