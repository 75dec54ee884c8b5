# The checker says: what `x.shape` gives

# %%
explained = {"imperative": "runs", "hybridized": "fails", "error": "AttributeError", "when": "trace", "why": "b"}
