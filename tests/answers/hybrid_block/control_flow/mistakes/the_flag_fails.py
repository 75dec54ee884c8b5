# The checker says: Python can decide

# %%
becomes = {
    "depth": "unrolled",
    "flag": "error",
    "value": "error",
    "rows": "different",
    "attribute": "no",
    "operators": 5,
}
