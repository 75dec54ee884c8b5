# %%
seen = {
    "printed": True,
    "calls": 2,
    "F first": "nd",
    "F last": "sym",
    "output": "NDArray",
    "after hybridize": 3,
}
