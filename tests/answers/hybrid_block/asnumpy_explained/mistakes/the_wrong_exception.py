# The checker says: that is the error of `x.shape`

# %%
explained = {"imperative": "runs", "hybridized": "fails", "error": "AttributeError", "when": "trace", "why": "b"}
