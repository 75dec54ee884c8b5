# %%
becomes = {
    "depth": "Unrolled",
    "flag": "Frozen",
    "value": "Error",
    "rows": "Different",
    "attribute": "No",
    "operators": "5",
}
