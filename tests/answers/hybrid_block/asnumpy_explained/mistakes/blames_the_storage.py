# The checker says: if there is something to convert

# %%
explained = {
    "imperative": "runs",
    "hybridized": "fails",
    "error": "NotImplementedForSymbol",
    "when": "trace",
    "why": "a",
}
