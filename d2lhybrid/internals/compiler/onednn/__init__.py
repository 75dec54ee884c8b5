"""oneDNN, a library of convolutions, normalizations, matrix products, and LSTM layers that MXNet and PyTorch use, too.

The library is optional (the extra ``fast``), and is called through its C API with ``ctypes``:

================== ==================================================================================================
:mod:`.library`    finds the library, and sets its number of threads
:mod:`.binding`    binds its threads to cores
:mod:`.primitive`  a *primitive*, a computation for fixed shapes, and the memory that it works on
:mod:`.ordering`   copies into another layout
:mod:`.convolving` convolution and its two gradients
:mod:`.layers`     batch normalization
:mod:`.matmul`     matrix products, dense layers
:mod:`.recurrent`  LSTM layers and their gradient
================== ==================================================================================================
"""

from __future__ import annotations

from .library import describe, find_library, is_available

__all__ = ["describe", "find_library", "is_available"]
