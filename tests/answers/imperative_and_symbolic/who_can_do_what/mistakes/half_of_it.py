# The checker says: no answer yet for reuse, phone

# %%
choices = {"print": "imperative", "if": "imperative"}
