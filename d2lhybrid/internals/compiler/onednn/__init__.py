"""oneDNN: convolutions, normalisations, products and LSTM layers by the library that MXNet and PyTorch use themselves.

It is optional (the extra ``fast``) and reached by ``ctypes`` through its C interface:

================== ==================================================================================================
:mod:`.library`    finds the library, and tells it how many threads to use
:mod:`.binding`    keeps its threads apart
:mod:`.primitive`  what the library computes, for fixed shapes: a *primitive*, and the memory that it works on
:mod:`.ordering`   copies into another layout
:mod:`.convolving` convolution and its two gradients
:mod:`.layers`     batch normalisation
:mod:`.matmul`     products of matrices, dense layers
:mod:`.recurrent`  LSTM layers and their gradient
================== ==================================================================================================
"""

from __future__ import annotations

from .library import describe, find_library, is_available

__all__ = ["describe", "find_library", "is_available"]
