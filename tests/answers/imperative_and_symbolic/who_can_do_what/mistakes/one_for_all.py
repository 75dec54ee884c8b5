# The checker says: reuse: who can know

# %%
choices = dict.fromkeys(["print", "reuse", "if", "phone", "fuse", "typo"], "imperative")
