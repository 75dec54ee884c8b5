# The checker says: itself runs nothing

# %%
explained = {
    "imperative": "runs",
    "hybridized": "fails",
    "error": "NotImplementedForSymbol",
    "when": "hybridize",
    "why": "b",
}
