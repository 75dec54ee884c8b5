# The checker says: c gluon: the trace also runs the function, including the print

# %%
prediction = {
    "a gluon": 1,
    "a torch": 2,
    "a jax": 1,
    "a tensorflow": 1,
    "b gluon": 1,
    "b torch": 2,
    "b jax": 2,
    "b tensorflow": 2,
    "c gluon": 0,
    "c torch": 2,
    "c jax": 1,
    "c tensorflow": 1,
}
