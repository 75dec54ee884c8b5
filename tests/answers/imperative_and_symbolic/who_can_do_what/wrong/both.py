# %%
choices = dict.fromkeys(["print", "reuse", "if", "phone", "fuse", "typo"], "imperative or symbolic")
