"""Functions that read images from files and from bytes."""

from __future__ import annotations

import os
from typing import Any

import numpy

from ..error import MXNetError
from ..internals.core.attributes import make_attribute, read_attributes
from ..internals.formats.image_codec import decode
from ..ndarray import NDArray
from .arrays import new_array

__all__ = ["imdecode", "imread"]


_SETTINGS = {
    "flag": make_attribute("flag", "int", 1, "_cvimdecode"),
    "to_rgb": make_attribute("to_rgb", "bool", True),
}


def _decoded(data: bytes, flag: Any, to_rgb: Any, out: Any) -> Any:
    given = {"flag": flag, "to_rgb": to_rgb}
    flag, to_rgb = read_attributes(_SETTINGS, None, given, "operator _cvimdecode", "").values()
    pixels = decode(data, flag)
    image = new_array(pixels if to_rgb or not flag else numpy.ascontiguousarray(pixels[..., ::-1]))
    if out is None:
        return image
    out[:] = image
    return out


def imread(filename: str, flag: int = 1, to_rgb: bool = True, out: Any = None, name: str | None = None) -> Any:
    """Read an image file.

    Parameters
    ----------
    filename : str
        Path of the file.
    flag : {1, 0}
        1 to read a color image (H, W, 3), 0 to read a grayscale image (H, W, 1).
    to_rgb : bool
        Whether red is the first channel. If False, blue is the first channel, as in OpenCV.
    out : NDArray, optional
        The array to write the pixels to.
    name : str, optional
        Unused.

    Returns
    -------
    NDArray
        The pixels, as uint8.

    Raises
    ------
    MXNetError
        If the file cannot be read, or is not an image.
    ImportError
        If Pillow is not installed.
    """
    try:
        with open(os.fspath(filename), "rb") as stream:  # rejects integers, which open() reads as file descriptors
            data = stream.read()
    except OSError as problem:
        message = f"Imread: Check failed: file.is_open(): '{filename}' couldn't open file: {problem.strerror}"
        raise MXNetError(message) from None
    try:
        return _decoded(data, flag, to_rgb, out)
    except MXNetError as error:
        error.add_note(f"The file is {filename!r}.")
        raise


def imdecode(buf: Any, flag: int = 1, to_rgb: bool = True, out: Any = None, name: str | None = None) -> Any:
    """Decode the bytes of an image file.

    Parameters
    ----------
    buf : bytes, bytearray, numpy.ndarray or NDArray
        Content of the file. Arrays must have the element type uint8.
    flag, to_rgb, out, name
        Arguments of :func:`imread`.

    Returns
    -------
    NDArray
        The pixels, as uint8.

    Raises
    ------
    MXNetError
        If the bytes are not an image, or if the image is damaged.
    ValueError
        If ``buf`` has another type.
    """
    if isinstance(buf, NDArray):
        if buf.dtype != numpy.uint8:
            raise MXNetError("Check failed: inputs[0].dtype() == mshadow::kUint8: Input needs to be uint8 buffer")
        buf = buf.asnumpy()
    if not isinstance(buf, bytes | bytearray | memoryview | numpy.ndarray):
        raise ValueError(
            "buf must be of type bytes, bytearray or numpy.ndarray,"
            "if you would like to input type str, please convert to bytes"
        )
    data = buf.tobytes() if isinstance(buf, numpy.ndarray) else bytes(buf)
    return _decoded(data, flag, to_rgb, out)
