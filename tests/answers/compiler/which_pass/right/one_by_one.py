# %%
passes = {}
passes["a"] = "fold constants"
passes["b"] = "merge equal"
passes["c"] = passes["e"] = "simplify"
passes["d"] = "fuse"
passes["f"] = "none"
