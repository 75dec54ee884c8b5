"""Reference computations for several checks, in NumPy and in the element types of the inputs."""

from __future__ import annotations

import numpy

__all__ = ["convolution", "windows"]


def windows(x: numpy.ndarray, size: int) -> numpy.ndarray:
    """Return the non-overlapping square windows of images; the last two axes of the result are those of a window.

    Rows and columns that do not fill a window are omitted.

    Examples
    --------
    >>> windows(numpy.arange(10.0).reshape(1, 1, 2, 5), 2).max(axis=(4, 5))
    array([[[[6., 8.]]]])
    """
    return numpy.lib.stride_tricks.sliding_window_view(x, (size, size), axis=(2, 3))[:, :, ::size, ::size]


def convolution(x: numpy.ndarray, weight: numpy.ndarray, bias: numpy.ndarray, padding: int = 0) -> numpy.ndarray:
    """Return a 2-D convolution with a square kernel.

    Parameters
    ----------
    x : array
        Images, of shape (batch, channels, height, width).
    weight, bias : array
        Parameters, of shapes (filters, channels, size, size) and (filters,).
    padding : int
        Number of zeros on each side.

    Examples
    --------
    >>> convolution(numpy.ones((1, 1, 2, 3)), numpy.ones((1, 1, 2, 2)), numpy.ones(1))
    array([[[[5., 5.]]]])
    """
    padded = numpy.pad(x, [(0, 0), (0, 0), (padding, padding), (padding, padding)])
    size = weight.shape[2]
    seen = numpy.lib.stride_tricks.sliding_window_view(padded, (size, size), axis=(2, 3))
    return numpy.einsum("nchwij,fcij->nfhw", seen, weight, optimize=True) + bias[:, None, None]
