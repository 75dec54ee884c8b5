# %%
seen = {
    "printed": ...,
    "calls": ...,
    "F first": ...,
    "F last": ...,
    "output": ...,
    "after hybridize": ...,
}
