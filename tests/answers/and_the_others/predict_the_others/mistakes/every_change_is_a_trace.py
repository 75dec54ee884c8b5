# The checker says: b jax: call 3 has the types of call 1

# %%
prediction = {
    "a gluon": 1,
    "a torch": 2,
    "a jax": 1,
    "a tensorflow": 1,
    "b gluon": 1,
    "b torch": 2,
    "b jax": 3,
    "b tensorflow": 2,
    "c gluon": 1,
    "c torch": 2,
    "c jax": 1,
    "c tensorflow": 1,
}
