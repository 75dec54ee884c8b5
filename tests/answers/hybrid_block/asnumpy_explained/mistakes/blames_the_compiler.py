# The checker says: when nothing is compiled yet

# %%
explained = {
    "imperative": "runs",
    "hybridized": "fails",
    "error": "NotImplementedForSymbol",
    "when": "trace",
    "why": "d",
}
