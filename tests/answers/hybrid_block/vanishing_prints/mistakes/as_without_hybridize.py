# The checker says: Does the compiled program run the `print`?

# %%
seen = {"printed": 4, "calls": 4, "F first": "nd", "F last": "sym", "output": "NDArray", "after hybridize": 5}
