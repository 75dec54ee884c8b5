# The checker says: the first call raises the exception, before anything is compiled

# %%
explained = {
    "imperative": "runs",
    "hybridized": "fails",
    "error": "NotImplementedForSymbol",
    "when": "trace",
    "why": "d",
}
