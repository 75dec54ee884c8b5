# The checker says: the three operators are different

# %%
passes = {"a": "fold constants", "b": "merge equal", "c": "simplify", "d": "merge equal", "e": "simplify", "f": "none"}
