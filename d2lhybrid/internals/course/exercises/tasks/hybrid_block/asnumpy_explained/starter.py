# %%
explained = {
    "imperative": ...,
    "hybridized": ...,
    "error": ...,
    "when": ...,
    "why": ...,
}
