# The checker says: TensorFlow: calls with `training=True`

# %%
def key(framework, x, training):
    key = [] if framework == "gluon" else [x.shape, str(x.dtype)]
    if framework == "jax":
        key.append(training)
    return key
