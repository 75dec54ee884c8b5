# %%
choices = {
    "print": ...,
    "reuse": ...,
    "if": ...,
    "phone": ...,
    "fuse": ...,
    "typo": ...,
}
