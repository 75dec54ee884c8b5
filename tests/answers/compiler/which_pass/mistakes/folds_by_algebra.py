# The checker says: That is known by algebra

# %%
passes = {"a": "fold constants", "b": "merge equal", "c": "fold constants", "d": "fuse", "e": "simplify", "f": "none"}
