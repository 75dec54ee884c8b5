"""One idea, four frameworks: the same small programs under Gluon, torch.compile, jax.jit and tf.function."""
