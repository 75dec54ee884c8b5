# %%
seen = {
    "printed": 2,
    "calls": 2,
    "F first": "nd",
    "F last": "sym",
    "output": "NDArray",
    "after hybridize": 3,
}
