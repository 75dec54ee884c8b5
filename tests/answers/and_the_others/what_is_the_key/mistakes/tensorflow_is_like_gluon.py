# The checker says: TensorFlow: arrays of shapes

# %%
def key(framework, x, training):
    if framework == "jax":
        return x.shape, str(x.dtype), training
    return None
