# The checker says: Who runs the `print`

# %%
seen = {"printed": 4, "calls": 4, "F first": "nd", "F last": "sym", "output": "NDArray", "after hybridize": 5}
