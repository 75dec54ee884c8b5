# %%
explained = {
    "imperative": "runs",
    "hybridized": "fails",
    "error": "d2lhybrid.errors.NotImplementedForSymbol",
    "when": "trace",
    "why": "B",
}
