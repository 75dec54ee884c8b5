# %%
diagnosis = dict(zip("abcdefg", "error silent same silent error same silent".split(), strict=True))
