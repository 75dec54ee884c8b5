# %%
choices = {
    "print": "imperative",
    "reuse": "symbolic",
    "if": "imperative",
    "phone": "symbolic",
    "fuse": "symbolic",
    "typo": "imperative",
}
