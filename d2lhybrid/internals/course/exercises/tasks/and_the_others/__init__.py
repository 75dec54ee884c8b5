"""Chapter 09: lessons for torch.compile, jax.jit, and tf.function, checked without these frameworks."""

from . import chinese as _chinese  # noqa: F401  adds the translations
