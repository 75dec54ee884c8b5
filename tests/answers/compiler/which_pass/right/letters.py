# %%
passes = {"a": "Fold constants", "b": "merge equal", "c": "simplify", "d": "fuse", "e": "simplify", "f": "none"}
