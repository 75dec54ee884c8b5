# The checker says: Did he ever get

# %%
seen = {"printed": 2, "calls": 2, "F first": "nd", "F last": "sym", "output": "Symbol", "after hybridize": 3}
