# The checker says: a jax: the trace also runs the function, including the line that appends

# %%
prediction = {
    "a gluon": 1,
    "a torch": 2,
    "a jax": 0,
    "a tensorflow": 1,
    "b gluon": 1,
    "b torch": 2,
    "b jax": 2,
    "b tensorflow": 2,
    "c gluon": 1,
    "c torch": 2,
    "c jax": 1,
    "c tensorflow": 1,
}
