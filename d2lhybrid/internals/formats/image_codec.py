"""The decoding and encoding of image files by Pillow, with the same results as MXNet's OpenCV.

Images are arrays ``(height, width, channels)`` of ``uint8``, with red as the first channel. Only this module needs
Pillow, and imports it for the first image.
"""

from __future__ import annotations

import io
from typing import Any

import numpy

from ...error import MXNetError
from ..support.plural import counted
from .serialization import limits

__all__ = ["decode", "encode", "pillow"]

_INVALID = "Check failed: !res.empty(): Decoding failed. Invalid image file."
#: The largest allowed expansion factor of an image file. Deflate, the compression of PNG files, packs up to 1,032 bytes
#: into one byte.
_MOST_PACKED = 2500
#: The formats that may store uncompressed pixels, at offsets in the file.
_PLAIN = ("BMP", "DIB", "PPM", "TGA", "TIFF")


def pillow(what: str = "reading image files") -> Any:
    """Return the module ``PIL.Image``.

    Parameters
    ----------
    what : str
        The task that needs Pillow, as the beginning of the error message.

    Raises
    ------
    ImportError
        If Pillow isn't installed. A note contains the command that installs it.
    """
    try:
        from PIL import Image  # pyright: ignore[reportMissingImports]
    except ImportError:
        error = ImportError(f"{what} requires Pillow")
        error.add_note("Install it with: pip install pillow")
        raise error from None
    return Image


def decode(data: bytes, flag: int = 1) -> numpy.ndarray:
    """Return the pixels of an image file.

    Parameters
    ----------
    data : bytes
        The contents of the file.
    flag : {1, 0, -1}
        1 for color, ``(H, W, 3)``; 0 for gray, ``(H, W, 1)``; -1 for the channels of the file: ``(H, W)`` for a gray
        image, ``(H, W, 4)`` for an image with transparency, otherwise ``(H, W, 3)``.

    Returns
    -------
    numpy.ndarray of uint8
        The pixels, in the shape that `flag` selects.

    Raises
    ------
    MXNetError
        If the file isn't an image, is damaged, or declares far too many pixels for its size.
    ImportError
        If Pillow isn't installed.
    """
    image_module = pillow()
    if not data:
        raise MXNetError("Check failed: len > 0: Input cannot be an empty buffer")
    try:
        with image_module.open(io.BytesIO(data)) as image:
            _check_size(image, len(data), flag)
            pixels = _pixels(image, data, flag)
    except (MemoryError, RecursionError, MXNetError):
        raise
    except _WrongSizeError as problem:
        raise _invalid(str(problem)) from None
    except Exception as problem:  # Pillow's readers raise errors of many types
        raise _invalid(f"Pillow reports: {problem}") from None
    return numpy.ascontiguousarray(pixels)


class _WrongSizeError(ValueError):
    """An error about a file that declares more pixels than it contains."""


def _invalid(note: str) -> MXNetError:
    error = MXNetError(_INVALID)
    error.add_note(note)
    return error


def _check_size(image: Any, stored: int, flag: int) -> None:
    """Raise an error if a small file declares a huge image, before memory is allocated.

    Pillow would allocate the whole image first, and pixels that the file lacks would remain black.
    """
    width, height = image.size
    tiles = [(tile[0], tile[1]) for tile in getattr(image, "tile", None) or () if tile[1]]
    if image.format == "TIFF" and tiles:
        held = max(box[2] for _, box in tiles), max(box[3] for _, box in tiles)
        if held[0] < width or held[1] < height:
            raise _WrongSizeError(
                f"The file declares {width} x {height} pixels, but contains only {held[0]} x {held[1]}."
            )
    if image.format in _PLAIN:
        plain = sum((box[2] - box[0]) * (box[3] - box[1]) for codec, box in tiles if codec == "raw")
        if plain > 8 * stored:  # less than one bit per pixel
            raise _WrongSizeError(
                f"The file declares {width} x {height} pixels, but the {counted(stored, 'byte')} of the file cannot "
                "contain so many."
            )
    of_pillow = 4 if len(image.getbands()) > 1 else 1
    size = width * height * (of_pillow + (3 if flag else 1))
    limits.check_expansion(size, stored, f"an image of {width} x {height} pixels", _MOST_PACKED)


def _pixels(image: Any, data: bytes, flag: int) -> numpy.ndarray:
    if flag == 0:
        image.draft("L", None)  # the brightness that a JPEG file stores, instead of one computed from colors
    if image.mode.startswith("I"):  # 16 bits per pixel, of which OpenCV keeps the upper half
        grey = (numpy.asarray(image).clip(0, 65535) // 256).astype(numpy.uint8)
        return grey if flag < 0 else grey[..., None].repeat(3 if flag else 1, axis=2)
    if flag >= 0 and not _starts_with_its_size(data):
        from PIL import ImageOps  # pyright: ignore[reportMissingImports]

        image = ImageOps.exif_transpose(image)
    if flag == 0:
        grey = image.mode in ("1", "L", "LA", "La")
        return (numpy.asarray(image.convert("L")) if grey else _brightness(image))[..., None]
    if flag < 0:
        transparent = image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info
        grey = image.mode in ("1", "L")
        return numpy.asarray(image.convert("L" if grey and not transparent else "RGBA" if transparent else "RGB"))
    return numpy.asarray(image.convert("RGB"))


def _brightness(image: Any) -> numpy.ndarray:
    """Return the brightness of each pixel, in the fixed-point arithmetic of libpng (PNG files) or OpenCV (others)."""
    red, green, blue = (numpy.asarray(channel, numpy.uint32) for channel in image.convert("RGB").split())
    if image.format == "PNG":
        return ((9797 * red + 19234 * green + 3737 * blue) >> 15).astype(numpy.uint8)
    return ((4899 * red + 9617 * green + 1868 * blue + (1 << 13)) >> 14).astype(numpy.uint8)


def _starts_with_its_size(data: bytes) -> bool:
    """Return whether MXNet reads the size of an image before it decodes the image; it doesn't rotate such images."""
    return data.startswith((b"\xff\xd8\xff\xe0", b"\x89PNG")) and (data[:1] != b"\xff" or data[6:11] == b"JFIF\0")


def encode(pixels: numpy.ndarray, extension: str = ".jpg", quality: int = 95) -> bytes:
    """Return the contents of an image file with given pixels.

    Parameters
    ----------
    pixels : numpy.ndarray
        An array of ``uint8`` with the shape ``(H, W)``, ``(H, W, 1)``, ``(H, W, 3)``, or ``(H, W, 4)``.
    extension : str
        The extension of the format, such as ``".png"``.
    quality : int
        The quality of a JPEG image, from 1 to 100, or the compression level of a PNG image, from 0 to 9.

    Returns
    -------
    bytes
        The contents of the file.

    Raises
    ------
    ValueError
        If the array isn't an image, or if Pillow can't write the format.
    ImportError
        If Pillow isn't installed.
    """
    image_module = pillow("writing image files")
    pixels = numpy.asarray(pixels)
    if pixels.ndim == 3 and pixels.shape[2] == 1:
        pixels = pixels[..., 0]
    if pixels.dtype != numpy.uint8 or not (pixels.ndim == 2 or (pixels.ndim == 3 and pixels.shape[2] in (3, 4))):
        raise ValueError(
            "an image must be a uint8 array of shape (height, width) or (height, width, channels) with 1, 3, or 4 "
            f"channels, not an array of element type {pixels.dtype} and shape {pixels.shape}"
        )
    if 0 in pixels.shape:
        raise ValueError(f"an image of shape {pixels.shape} has no pixels and cannot be written")
    image_module.init()
    name = image_module.registered_extensions().get(extension.lower())
    if name not in image_module.SAVE:
        raise ValueError(f"Pillow cannot write image files with the extension {extension!r}. Use .jpg or .png.")
    settings: dict[str, Any] = {}
    if name == "JPEG":
        settings["quality"] = min(max(int(quality), 1), 100)
        pixels = pixels[..., :3] if pixels.ndim == 3 else pixels
    elif name == "PNG":
        settings["compress_level"] = min(max(int(quality), 0), 9)
    stream = io.BytesIO()
    image_module.fromarray(pixels).save(stream, name, **settings)
    return stream.getvalue()
