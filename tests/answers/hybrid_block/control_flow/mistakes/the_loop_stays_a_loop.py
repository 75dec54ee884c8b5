# The checker says: what does each run leave

# %%
becomes = {
    "depth": "frozen",
    "flag": "frozen",
    "value": "error",
    "rows": "different",
    "attribute": "no",
    "operators": 5,
}
