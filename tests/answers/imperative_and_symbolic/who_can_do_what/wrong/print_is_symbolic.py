# %%
choices = {
    "print": "symbolic",
    "reuse": "symbolic",
    "if": "imperative",
    "phone": "symbolic",
    "fuse": "symbolic",
    "typo": "imperative",
}
