# The checker says: what does each run add to the graph

# %%
becomes = {
    "depth": "frozen",
    "flag": "frozen",
    "value": "error",
    "rows": "different",
    "attribute": "no",
    "operators": 5,
}
