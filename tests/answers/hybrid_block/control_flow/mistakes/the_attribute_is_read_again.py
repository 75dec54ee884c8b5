# The checker says: nothing looks at

# %%
becomes = {
    "depth": "unrolled",
    "flag": "frozen",
    "value": "error",
    "rows": "different",
    "attribute": "yes",
    "operators": 5,
}
