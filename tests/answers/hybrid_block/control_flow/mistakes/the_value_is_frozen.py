# The checker says: whether the sum is positive

# %%
becomes = {
    "depth": "unrolled",
    "flag": "frozen",
    "value": "frozen",
    "rows": "different",
    "attribute": "no",
    "operators": 5,
}
