# The checker says: Does a call on an array ever return a symbol?

# %%
seen = {"printed": 2, "calls": 2, "F first": "nd", "F last": "sym", "output": "Symbol", "after hybridize": 3}
