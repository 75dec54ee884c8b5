# The checker says: Algebra shows this for every `x`

# %%
passes = {"a": "fold constants", "b": "merge equal", "c": "fold constants", "d": "fuse", "e": "simplify", "f": "none"}
