"""The gallery of other frameworks: the same programs in Gluon, torch.compile, jax.jit, and tf.function."""
