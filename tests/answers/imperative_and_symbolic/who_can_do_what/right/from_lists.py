# %%
imperative, symbolic = "imperative", "symbolic"
choices = dict(zip(["print", "reuse", "if", "phone", "fuse", "typo"],
                   [imperative, symbolic, imperative, symbolic, symbolic, imperative], strict=True))  # fmt: skip
