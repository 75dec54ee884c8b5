# The checker says: how many rows does a symbol have? Print the items of the loop

# %%
becomes = {
    "depth": "unrolled",
    "flag": "frozen",
    "value": "error",
    "rows": "unrolled",
    "attribute": "no",
    "operators": 5,
}
