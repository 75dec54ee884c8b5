# The checker says: still compute the exponential twice

# %%
passes = {"a": "fold constants", "b": "fuse", "c": "simplify", "d": "fuse", "e": "simplify", "f": "none"}
