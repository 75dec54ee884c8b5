# The checker says: print: at the line after

# %%
choices = dict.fromkeys(["print", "reuse", "if", "phone", "fuse", "typo"], "symbolic")
