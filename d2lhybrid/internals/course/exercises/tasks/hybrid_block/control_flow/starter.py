# %%
becomes = {
    "depth": ...,
    "flag": ...,
    "value": ...,
    "rows": ...,
    "attribute": ...,
    "operators": ...,
}
