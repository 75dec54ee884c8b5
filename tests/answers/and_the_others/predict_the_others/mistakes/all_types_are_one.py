# The checker says: b torch: the stand-in has a type

# %%
prediction = {
    "a gluon": 1,
    "a torch": 2,
    "a jax": 1,
    "a tensorflow": 1,
    "b gluon": 1,
    "b torch": 1,
    "b jax": 1,
    "b tensorflow": 1,
    "c gluon": 1,
    "c torch": 2,
    "c jax": 1,
    "c tensorflow": 1,
}
