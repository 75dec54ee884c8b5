# The checker says: the first call is still line by line

# %%
seen = {"printed": 1, "calls": 1, "F first": "nd", "F last": "sym", "output": "NDArray", "after hybridize": 2}
