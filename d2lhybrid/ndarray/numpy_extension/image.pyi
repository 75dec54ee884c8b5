# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from collections.abc import Sequence
from typing import TypeAlias

from ..numpy._array import ndarray

_Shape: TypeAlias = int | Sequence[int | None]
_Floats: TypeAlias = float | Sequence[float]

def adjust_lighting(
    data: ndarray, alpha: _Floats, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Add ``alpha`` times the principal components of natural images' colours."""

def crop(
    data: ndarray,
    x: int,
    y: int,
    width: int,
    height: int,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Cut the rectangle with upper left corner (x, y) out of an image, or of each one of a batch."""

def flip_left_right(data: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Mirror an image left to right."""

def flip_top_bottom(data: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Turn an image upside down."""

def normalize(
    data: ndarray,
    mean: _Floats = (0.0,),
    std: _Floats = (1.0,),
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Subtract a mean from each channel of tensors (C, H, W) or (N, C, H, W), and divide by ``std``."""

def random_brightness(
    data: ndarray,
    min_factor: float,
    max_factor: float,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Multiply all colours by a random factor from ``min_factor`` to ``max_factor``."""

def random_color_jitter(
    data: ndarray,
    brightness: float,
    contrast: float,
    saturation: float,
    hue: float,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Change brightness, contrast, saturation and hue, in random order, by at most the given shares."""

def random_contrast(
    data: ndarray,
    min_factor: float,
    max_factor: float,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Scale the distances from the mean grey by a random factor from ``min_factor`` to ``max_factor``."""

def random_flip_left_right(
    data: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Mirror an image left to right with probability 1/2."""

def random_flip_top_bottom(
    data: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Turn an image upside down with probability 1/2."""

def random_hue(
    data: ndarray,
    min_factor: float,
    max_factor: float,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Turn all hues by a random part of the circle (1 is all of it, and changes nothing)."""

def random_lighting(
    data: ndarray, alpha_std: float = 0.05, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """``adjust_lighting`` with normal random amounts of standard deviation ``alpha_std``."""

def random_saturation(
    data: ndarray,
    min_factor: float,
    max_factor: float,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Scale the distances from each pixel's own grey by a random factor from ``min_factor`` to ``max_factor``."""

def resize(
    data: ndarray,
    size: _Shape = (),
    keep_ratio: bool = False,
    interp: int = 1,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Resize an image, or each one of a batch."""

def to_tensor(data: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Turn images (H, W, C) of pixels 0 ... 255 into float32 tensors (C, H, W) of values 0 ... 1."""
