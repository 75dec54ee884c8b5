# The checker says: c torch: Dynamo leaves the print to Python

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
    "c gluon": 1,
    "c torch": 1,
    "c jax": 1,
    "c tensorflow": 1,
}
