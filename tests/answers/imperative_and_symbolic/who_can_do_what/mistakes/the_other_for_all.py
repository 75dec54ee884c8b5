# The checker says: print: in which style does `left` have a value

# %%
choices = dict.fromkeys(["print", "reuse", "if", "phone", "fuse", "typo"], "symbolic")
