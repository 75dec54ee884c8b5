# The checker says: a gluon: Python runs the function only during the trace

# %%
prediction = {
    "a gluon": 2,
    "a torch": 2,
    "a jax": 2,
    "a tensorflow": 2,
    "b gluon": 1,
    "b torch": 2,
    "b jax": 2,
    "b tensorflow": 2,
    "c gluon": 1,
    "c torch": 2,
    "c jax": 1,
    "c tensorflow": 1,
}
