# %%
diagnosis = {
    "a": "error",
    "b": "silent",
    "c": "same",
    "d": "silent",
    "e": "error",
    "f": "same",
    "g": "silent",
}
