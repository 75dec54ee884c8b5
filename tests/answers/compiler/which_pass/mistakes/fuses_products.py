# The checker says: is not element-wise

# %%
passes = {"a": "fold constants", "b": "merge equal", "c": "simplify", "d": "fuse", "e": "simplify", "f": "fuse"}
