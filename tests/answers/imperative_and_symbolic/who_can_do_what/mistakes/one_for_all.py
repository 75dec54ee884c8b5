# The checker says: reuse: in which style is it known

# %%
choices = dict.fromkeys(["print", "reuse", "if", "phone", "fuse", "typo"], "imperative")
