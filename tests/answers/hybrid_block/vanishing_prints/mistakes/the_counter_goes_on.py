# The checker says: is Python, not a computation

# %%
seen = {"printed": 2, "calls": 4, "F first": "nd", "F last": "sym", "output": "NDArray", "after hybridize": 5}
