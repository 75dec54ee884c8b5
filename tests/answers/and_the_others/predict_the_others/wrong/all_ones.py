# %%
prediction = {f"{letter} {name}": 1 for letter in "abc" for name in ("gluon", "torch", "jax", "tensorflow")}
