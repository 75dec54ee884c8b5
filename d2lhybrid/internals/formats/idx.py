"""IDX files, the format of MNIST: a magic number, the sizes, the values."""

from __future__ import annotations

import math
import struct

import numpy

from ...error import MXNetError
from .serialization import open_unpacked

__all__ = ["read_idx"]


def read_idx(path: str) -> numpy.ndarray:
    """Read an array of bytes in the IDX format: magic number, sizes, values."""
    with open_unpacked(path) as stream:
        start = stream.read(4)
        if len(start) < 4 or start[:3] != b"\x00\x00\x08":
            raise MXNetError(f"{path!r} is not an IDX file of bytes")
        sizes = stream.read(4 * start[3])
        if len(sizes) < 4 * start[3] or start[3] > 8:
            raise MXNetError(f"{path!r} is not an IDX file of bytes: it has {start[3]} dimensions")
        shape = struct.unpack(f">{start[3]}I", sizes)
        size = math.prod(shape)
        content = stream.read(size + 1)
    if len(content) != size:
        raise MXNetError(f"{path!r} is shorter or longer than it says: it says {' x '.join(map(str, shape))}")
    # A copy, because an array over the bytes would be read-only.
    return numpy.frombuffer(bytearray(content), numpy.uint8).reshape(shape)
