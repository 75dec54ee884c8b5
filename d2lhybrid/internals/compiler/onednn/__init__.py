"""oneDNN, a library for convolutions, normalizations, matrix products, and LSTM layers.

MXNet and PyTorch use this library, too. It is optional (the extra ``fast``). This package calls its C API through
``ctypes``:

================== ==================================================================================================
:mod:`.library`    finds the library, and sets its number of threads
:mod:`.binding`    binds its threads to cores
:mod:`.primitive`  a *primitive*, a computation for fixed shapes, and the memory that it works on
:mod:`.ordering`   copies arrays into another memory layout
:mod:`.convolving` convolution and its two gradients
:mod:`.layers`     batch normalization
:mod:`.matmul`     matrix products, dense layers
:mod:`.recurrent`  LSTM layers and their gradient
================== ==================================================================================================
"""

from __future__ import annotations

from .library import describe, find_library, is_available

__all__ = ["describe", "find_library", "is_available"]
