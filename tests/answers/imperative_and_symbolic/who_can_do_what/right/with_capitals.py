# %%
choices = {
    "print": "Imperative",
    "reuse": "Symbolic",
    "if": "Imperative",
    "phone": "Symbolic",
    "fuse": "Symbolic",
    "typo": "Imperative",
}
