"""oneDNN: convolutions, normalisations, matrix products and LSTM layers by the library that MXNet and PyTorch use.

It is optional (the extra ``fast``) and called through its C API with ``ctypes``:

================== ==================================================================================================
:mod:`.library`    finds the library, and sets its number of threads
:mod:`.binding`    binds its threads to cores
:mod:`.primitive`  a *primitive*, a computation for fixed shapes, and the memory that it works on
:mod:`.ordering`   copies into another layout
:mod:`.convolving` convolution and its two gradients
:mod:`.layers`     batch normalisation
:mod:`.matmul`     matrix products, dense layers
:mod:`.recurrent`  LSTM layers and their gradient
================== ==================================================================================================
"""

from __future__ import annotations

from .library import describe, find_library, is_available

__all__ = ["describe", "find_library", "is_available"]
