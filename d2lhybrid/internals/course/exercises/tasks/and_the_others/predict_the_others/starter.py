# %%
prediction = {
    "a gluon": ...,
    "a torch": ...,
    "a jax": ...,
    "a tensorflow": ...,
    "b gluon": ...,
    "b torch": ...,
    "b jax": ...,
    "b tensorflow": ...,
    "c gluon": ...,
    "c torch": ...,
    "c jax": ...,
    "c tensorflow": ...,
}
