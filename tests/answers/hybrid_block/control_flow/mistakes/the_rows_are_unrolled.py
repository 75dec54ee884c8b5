# The checker says: how many rows has a symbol

# %%
becomes = {
    "depth": "unrolled",
    "flag": "frozen",
    "value": "error",
    "rows": "unrolled",
    "attribute": "no",
    "operators": 5,
}
