"""oneDNN, a library for convolutions, normalizations, matrix products, and LSTM layers.

MXNet and PyTorch also use oneDNN. For this package, oneDNN is optional (the extra ``fast``). The package calls the
library's C API through ``ctypes``:

================== ==================================================================================================
:mod:`.library`    finds the library, and sets its number of threads
:mod:`.binding`    binds the library's threads to cores
:mod:`.primitive`  a *primitive*, which is a computation for fixed shapes, and its memory
:mod:`.ordering`   copies arrays into another memory layout
:mod:`.convolving` convolution and its two gradients
:mod:`.layers`     batch normalization
:mod:`.matmul`     matrix products, dense layers
:mod:`.recurrent`  LSTM layers and their gradient
================== ==================================================================================================
"""

from __future__ import annotations

from .library import describe, find_library, is_available, is_disabled

__all__ = ["describe", "find_library", "is_available", "is_disabled"]
