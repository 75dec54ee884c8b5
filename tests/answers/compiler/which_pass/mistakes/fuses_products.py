# The checker says: needs whole rows and columns

# %%
passes = {"a": "fold constants", "b": "merge equal", "c": "simplify", "d": "fuse", "e": "simplify", "f": "fuse"}
