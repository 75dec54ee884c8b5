# The checker says: no code reads `self.depth` after the trace

# %%
becomes = {
    "depth": "unrolled",
    "flag": "frozen",
    "value": "error",
    "rows": "different",
    "attribute": "yes",
    "operators": 5,
}
