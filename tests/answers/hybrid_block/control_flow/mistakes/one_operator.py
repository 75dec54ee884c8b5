# The checker says: a loop is no operator

# %%
becomes = {
    "depth": "unrolled",
    "flag": "frozen",
    "value": "error",
    "rows": "different",
    "attribute": "no",
    "operators": 1,
}
