# The checker says: the conversion would be as easy as in eager mode, if there were values to convert

# %%
explained = {
    "imperative": "runs",
    "hybridized": "fails",
    "error": "NotImplementedForSymbol",
    "when": "trace",
    "why": "a",
}
