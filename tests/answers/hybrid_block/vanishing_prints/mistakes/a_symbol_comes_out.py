# The checker says: Does a call ever return anything else?

# %%
seen = {"printed": 2, "calls": 2, "F first": "nd", "F last": "sym", "output": "Symbol", "after hybridize": 3}
