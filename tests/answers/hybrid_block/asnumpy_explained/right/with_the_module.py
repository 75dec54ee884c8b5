# %%
explained = {
    "imperative": "runs",
    "hybridized": "fails",
    "error": "d2lhybrid.error.NotImplementedForSymbol",
    "when": "trace",
    "why": "B",
}
