# The checker says: this loop does not become an operator

# %%
becomes = {
    "depth": "unrolled",
    "flag": "frozen",
    "value": "error",
    "rows": "different",
    "attribute": "no",
    "operators": 1,
}
