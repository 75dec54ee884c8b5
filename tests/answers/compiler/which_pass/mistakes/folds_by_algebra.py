# The checker says: Algebra tells this for every `x`

# %%
passes = {"a": "fold constants", "b": "merge equal", "c": "fold constants", "d": "fuse", "e": "simplify", "f": "none"}
