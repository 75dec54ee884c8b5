"""Chapter 09: what carries over to torch.compile, jax.jit and tf.function, checked without any of them."""

from . import chinese as _chinese  # noqa: F401  adds the translations
