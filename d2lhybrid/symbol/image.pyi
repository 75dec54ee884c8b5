# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from collections.abc import Sequence
from typing import Any, TypeAlias

from .symbol import Symbol

_Shape: TypeAlias = int | Sequence[int | None]
_Floats: TypeAlias = float | Sequence[float]

def adjust_lighting(
    data: Symbol | None = None,
    alpha: _Floats = ...,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Add ``alpha`` times the principal components of natural images' colours."""

def crop(
    data: Symbol | None = None,
    x: int = ...,
    y: int = ...,
    width: int = ...,
    height: int = ...,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Cut the rectangle with upper left corner (x, y) out of an image, or of each one of a batch."""

def flip_left_right(
    data: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Mirror an image left to right."""

def flip_top_bottom(
    data: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Turn an image upside down."""

def normalize(
    data: Symbol | None = None,
    mean: _Floats = (0.0,),
    std: _Floats = (1.0,),
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Subtract a mean from each channel of tensors (C, H, W) or (N, C, H, W), and divide by ``std``."""

def random_brightness(
    data: Symbol | None = None,
    min_factor: float = ...,
    max_factor: float = ...,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Multiply all colours by a random factor from ``min_factor`` to ``max_factor``."""

def random_color_jitter(
    data: Symbol | None = None,
    brightness: float = ...,
    contrast: float = ...,
    saturation: float = ...,
    hue: float = ...,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Change brightness, contrast, saturation and hue, in random order, by at most the given shares."""

def random_contrast(
    data: Symbol | None = None,
    min_factor: float = ...,
    max_factor: float = ...,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Scale the distances from the mean grey by a random factor from ``min_factor`` to ``max_factor``."""

def random_flip_left_right(
    data: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Mirror an image left to right with probability 1/2."""

def random_flip_top_bottom(
    data: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Turn an image upside down with probability 1/2."""

def random_hue(
    data: Symbol | None = None,
    min_factor: float = ...,
    max_factor: float = ...,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Turn all hues by a random part of the circle (1 is all of it, and changes nothing)."""

def random_lighting(
    data: Symbol | None = None,
    alpha_std: float = 0.05,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``adjust_lighting`` with normal random amounts of standard deviation ``alpha_std``."""

def random_saturation(
    data: Symbol | None = None,
    min_factor: float = ...,
    max_factor: float = ...,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Scale the distances from each pixel's own grey by a random factor from ``min_factor`` to ``max_factor``."""

def resize(
    data: Symbol | None = None,
    size: _Shape = (),
    keep_ratio: bool = False,
    interp: int = 1,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Resize an image, or each one of a batch."""

def to_tensor(
    data: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Turn images (H, W, C) of pixels 0 ... 255 into float32 tensors (C, H, W) of values 0 ... 1."""
