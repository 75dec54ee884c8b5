# The checker says: an array with numbers in it

# %%
explained = {
    "imperative": "fails",
    "hybridized": "fails",
    "error": "NotImplementedForSymbol",
    "when": "trace",
    "why": "b",
}
