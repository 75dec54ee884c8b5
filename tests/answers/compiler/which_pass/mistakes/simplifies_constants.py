# The checker says: no input is needed

# %%
passes = {"a": "simplify", "b": "merge equal", "c": "simplify", "d": "fuse", "e": "simplify", "f": "none"}
