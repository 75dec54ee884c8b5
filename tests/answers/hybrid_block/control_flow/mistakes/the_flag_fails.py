# The checker says: Python can choose the branch

# %%
becomes = {
    "depth": "unrolled",
    "flag": "error",
    "value": "error",
    "rows": "different",
    "attribute": "no",
    "operators": 5,
}
