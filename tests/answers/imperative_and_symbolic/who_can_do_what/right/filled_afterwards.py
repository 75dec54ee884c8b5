# %%
choices = {"print": ..., "reuse": ..., "if": ..., "phone": ..., "fuse": ..., "typo": ...}
for name in choices:
    choices[name] = "symbolic" if name in ("reuse", "phone", "fuse") else "imperative"
choices.update(remark="print, if and typo need values")
