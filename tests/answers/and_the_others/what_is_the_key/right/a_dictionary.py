# %%
def key(framework, x, training):
    key = {"framework": framework}
    if framework in ("jax", "tensorflow"):
        key.update(shape=x.shape, dtype=x.dtype, training=bool(training))
    return key
