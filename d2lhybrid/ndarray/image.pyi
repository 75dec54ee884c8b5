# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from collections.abc import Sequence
from typing import TypeAlias

from .ndarray import NDArray

_Shape: TypeAlias = int | Sequence[int | None]
_Floats: TypeAlias = float | Sequence[float]

def adjust_lighting(
    data: NDArray, alpha: _Floats, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Add ``alpha`` times the principal components of natural images' colours."""

def crop(
    data: NDArray,
    x: int,
    y: int,
    width: int,
    height: int,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Cut the rectangle with upper left corner (x, y) out of an image, or of each one of a batch."""

def flip_left_right(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Mirror an image left to right."""

def flip_top_bottom(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Turn an image upside down."""

def normalize(
    data: NDArray,
    mean: _Floats = (0.0,),
    std: _Floats = (1.0,),
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Subtract a mean from each channel of tensors (C, H, W) or (N, C, H, W), and divide by ``std``."""

def random_brightness(
    data: NDArray,
    min_factor: float,
    max_factor: float,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiply all colours by a random factor from ``min_factor`` to ``max_factor``."""

def random_color_jitter(
    data: NDArray,
    brightness: float,
    contrast: float,
    saturation: float,
    hue: float,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Change brightness, contrast, saturation and hue, in random order, by at most the given shares."""

def random_contrast(
    data: NDArray,
    min_factor: float,
    max_factor: float,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Scale the distances from the mean grey by a random factor from ``min_factor`` to ``max_factor``."""

def random_flip_left_right(
    data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Mirror an image left to right with probability 1/2."""

def random_flip_top_bottom(
    data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Turn an image upside down with probability 1/2."""

def random_hue(
    data: NDArray,
    min_factor: float,
    max_factor: float,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Turn all hues by a random part of the circle (1 is all of it, and changes nothing)."""

def random_lighting(
    data: NDArray, alpha_std: float = 0.05, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """``adjust_lighting`` with normal random amounts of standard deviation ``alpha_std``."""

def random_saturation(
    data: NDArray,
    min_factor: float,
    max_factor: float,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Scale the distances from each pixel's own grey by a random factor from ``min_factor`` to ``max_factor``."""

def resize(
    data: NDArray,
    size: _Shape = (),
    keep_ratio: bool = False,
    interp: int = 1,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Resize an image, or each one of a batch."""

def to_tensor(data: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Turn images (H, W, C) of pixels 0 ... 255 into float32 tensors (C, H, W) of values 0 ... 1."""
