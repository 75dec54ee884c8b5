"""A reader of IDX files, the format of MNIST: a magic number, the sizes, and the values."""

from __future__ import annotations

import math
import struct

import numpy

from ...error import MXNetError
from ..support.plural import counted
from .serialization import open_unpacked

__all__ = ["read_idx"]


def read_idx(path: str) -> numpy.ndarray:
    """Read an array of bytes from a file in the IDX format.

    Parameters
    ----------
    path : str
        The file, optionally compressed (``.gz``).

    Returns
    -------
    numpy.ndarray
        The array of uint8 elements.

    Raises
    ------
    MXNetError
        If the file can't be read, isn't a valid IDX file of uint8 elements, or has more than 8 dimensions.
    """
    with open_unpacked(path) as stream:
        start = stream.read(4)
        if len(start) < 4 or start[:3] != b"\x00\x00\x08":
            raise MXNetError(f"{path!r} is not an IDX file of uint8 elements")
        sizes = stream.read(4 * start[3])
        if start[3] > 8:
            raise MXNetError(
                f"{path!r} cannot be read: its header declares {start[3]} dimensions, but at most 8 are supported"
            )
        if len(sizes) < 4 * start[3]:
            raise MXNetError(
                f"{path!r} is truncated: the file ends before the sizes of its {counted(start[3], 'dimension')}"
            )
        shape = struct.unpack(f">{start[3]}I", sizes)
        size = math.prod(shape)
        content = stream.read(size + 1)
    if len(content) != size:
        problem = "more" if len(content) > size else "fewer"
        raise MXNetError(f"{path!r} contains {problem} elements than its declared shape {shape} requires")
    # An array over the bytes object itself would be read-only.
    return numpy.frombuffer(bytearray(content), numpy.uint8).reshape(shape)
