"""Transforms of images, for ``dataset.transform_first``.

Images come in as (height, width, channels) with pixels 0 ... 255; :class:`ToTensor` makes
(channels, height, width) with values 0 ... 1, and :class:`Normalize` comes after it. Transforms that
are HybridBlocks may be part of a hybridized network and of its exported graph.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from d2lhybrid.image.augmenters import RandomGrayAug
from d2lhybrid.image.cropping import copyMakeBorder, middle, random_crop, random_rectangle
from d2lhybrid.image.rotation import imrotate, random_rotate
from d2lhybrid.internals.core.invoke import invoke
from d2lhybrid.internals.core.operator import get_operator
from d2lhybrid.util import is_np_array

from ...block import Block
from ...hybrid_block import HybridBlock
from ...nn import HybridSequential, Sequential

if TYPE_CHECKING:
    from d2lhybrid.typing import Tensor

__all__ = [
    "Cast",
    "CenterCrop",
    "Compose",
    "CropResize",
    "Normalize",
    "RandomApply",
    "RandomBrightness",
    "RandomColorJitter",
    "RandomContrast",
    "RandomCrop",
    "RandomFlipLeftRight",
    "RandomFlipTopBottom",
    "RandomGray",
    "RandomHue",
    "RandomLighting",
    "RandomResizedCrop",
    "RandomRotation",
    "RandomSaturation",
    "Resize",
    "Rotate",
    "ToTensor",
]


def _call(F: Any, name: str, image: Any, /, **attributes: Any) -> Any:
    """Call an image operator in the dialect that is in use."""
    place = F.npx.image if is_np_array() else F.image
    return getattr(place, name)(image, **attributes)


def _run(name: str, image: Any, /, **attributes: Any) -> Any:
    """Run an image operator on an array."""
    return invoke(get_operator(f"_image_{name}"), (image,), attributes, type(image))


class Compose(Sequential):
    """Transforms one after the other; neighbouring HybridBlocks are hybridized together.

    Parameters
    ----------
    transforms : list of callable
        Blocks, usually.
    """

    def __init__(self, transforms: Sequence[Any]) -> None:
        super().__init__()
        group: list[Any] = []
        for transform in [*transforms, None]:
            if isinstance(transform, HybridBlock):
                group.append(transform)
                continue
            if len(group) == 1:
                self.add(group[0])
            elif group:
                together = HybridSequential()
                together.add(*group)
                together.hybridize()
                self.add(together)
            group = []
            if transform is not None:
                self.add(transform)


class RandomApply(Sequential):
    """A transform that is applied with a probability only.

    Parameters
    ----------
    transforms : Block or callable
        What to apply.
    p : float
        The probability.
    """

    def __init__(self, transforms: Any, p: float = 0.5) -> None:
        super().__init__()
        self.transforms = transforms
        self.p = p

    def forward(self, x: Any) -> Any:  # type: ignore[override]
        """Apply the transform, or return ``x`` unchanged."""
        return x if self.p < random.random() else self.transforms(x)


# --- tensors -----------------------------------------------------------------------------------


class Cast(HybridBlock):
    """Converts to another element type.

    Parameters
    ----------
    dtype : str
        The type.
    """

    def __init__(self, dtype: Any = "float32") -> None:
        super().__init__()
        self._dtype = dtype

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Convert."""
        return x.astype(self._dtype) if is_np_array() else F.cast(x, self._dtype)


class ToTensor(HybridBlock):
    """Turns (H, W, C) of pixels 0 ... 255 into a float32 tensor (C, H, W) of values 0 ... 1.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> image = nd.array([[[0], [255]]], dtype="uint8")
    >>> ToTensor()(image)
    <BLANKLINE>
    [[[0. 1.]]]
    <NDArray 1x1x2 @cpu(0)>
    """

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Turn an image, or a batch of images, into a tensor."""
        return _call(F, "to_tensor", x)


class Normalize(HybridBlock):
    """Subtracts a mean from each channel of a tensor and divides by a standard deviation.

    Parameters
    ----------
    mean, std : float or tuple of float
        One number, or one for each channel.
    """

    def __init__(self, mean: Any = 0.0, std: Any = 1.0) -> None:
        super().__init__()
        self._mean, self._std = mean, std

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Normalize a tensor, or a batch of tensors."""
        return _call(F, "normalize", x, mean=self._mean, std=self._std)


# --- cutting and resizing ----------------------------------------------------------------------


def _width_height(size: Any) -> tuple[int, int]:
    return (size, size) if isinstance(size, int) else (size[0], size[1])


def _crop_resize(x: Any, left: int, top: int, width: int, height: int, size: Any, interp: int) -> Any:
    cut = _run("crop", x, x=left, y=top, width=width, height=height)
    if size is None or _width_height(size) == (width, height):
        return cut
    return _run("resize", cut, size=_width_height(size), interp=interp)


class Resize(HybridBlock):
    """Resizes an image.

    Parameters
    ----------
    size : int or (int, int)
        The new size; two numbers are width and height.
    keep_ratio : bool
        With one number: the length of the shorter edge, the other keeps the ratio.
    interpolation : int
        0 nearest neighbour, 1 bilinear, 2 bicubic, 3 area, 4 Lanczos.
    """

    def __init__(self, size: Any, keep_ratio: bool = False, interpolation: int = 1) -> None:
        super().__init__()
        self._size, self._keep, self._interpolation = size, keep_ratio, interpolation

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Resize an image, or a batch of images."""
        return _call(F, "resize", x, size=self._size, keep_ratio=self._keep, interp=self._interpolation)


class CenterCrop(Block):
    """Cuts the middle out of an image; a smaller image is enlarged.

    Parameters
    ----------
    size : int or (int, int)
        The size; two numbers are width and height.
    interpolation : int
        As in :class:`Resize`.
    """

    def __init__(self, size: Any, interpolation: int = 1) -> None:
        super().__init__()
        self._size, self._interpolation = _width_height(size), interpolation

    def forward(self, x: Any) -> Any:  # type: ignore[override]
        """Cut an image, or each one of a batch."""
        rows, columns = x.shape[-3:-1]
        left, top, width, height = middle(columns, rows, self._size)
        return _crop_resize(x, left, top, width, height, self._size, self._interpolation)


class CropResize(HybridBlock):
    """Crops a rectangle from an image, and optionally resizes it.

    Parameters
    ----------
    x, y : int
        The upper left corner.
    width, height : int
        The size of the rectangle.
    size : int or (int, int), optional
        The size of the result.
    interpolation : int, optional
        As in :class:`Resize`.
    """

    def __init__(
        self, x: int, y: int, width: int, height: int, size: Any = None, interpolation: int | None = None
    ) -> None:
        super().__init__()
        self._rectangle = {"x": x, "y": y, "width": width, "height": height}
        self._size, self._interpolation = size, interpolation

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Cut an image, or each one of a batch."""
        cut = _call(F, "crop", x, **self._rectangle)
        if not self._size:
            return cut
        interp = 1 if self._interpolation is None else self._interpolation
        return _call(F, "resize", cut, size=self._size, keep_ratio=False, interp=interp)


class RandomResizedCrop(Block):
    """Cuts a random rectangle out of an image and resizes it.

    Parameters
    ----------
    size : int or (int, int)
        The size of the result; two numbers are width and height.
    scale : (float, float)
        Smallest and largest share of the image's area.
    ratio : (float, float)
        Smallest and largest ratio of width to height.
    interpolation : int
        As in :class:`Resize`.
    """

    def __init__(
        self,
        size: Any,
        scale: tuple[float, float] = (0.08, 1.0),
        ratio: tuple[float, float] = (3.0 / 4.0, 4.0 / 3.0),
        interpolation: int = 1,
    ) -> None:
        super().__init__()
        self._size, self._interpolation = _width_height(size), interpolation
        self._scale, self._ratio = scale, ratio

    def forward(self, x: Any) -> Any:  # type: ignore[override]
        """Cut an image."""
        rows, columns = x.shape[-3:-1]
        left, top, width, height = random_rectangle(columns, rows, self._size, self._scale, self._ratio)
        return _crop_resize(x, left, top, width, height, self._size, self._interpolation)


class RandomCrop(Block):
    """Cuts a rectangle of a given size at a random place, perhaps with a border around the image.

    MXNet has it from version 2 on.

    Parameters
    ----------
    size : int or (int, int)
        The size; two numbers are width and height.
    pad : int or (int, int, int, int), optional
        Width of a border: one for all sides, or above, below, left and right.
    pad_value : float
        The colour of the border.
    interpolation : int
        As in :class:`Resize`; a smaller image is enlarged.
    """

    def __init__(self, size: Any, pad: Any = None, pad_value: float = 0, interpolation: int = 1) -> None:
        super().__init__()
        self._size, self._interpolation = _width_height(size), interpolation
        self._pad = (pad,) * 4 if isinstance(pad, int) else pad
        if self._pad is not None and len(self._pad) != 4:
            raise ValueError(f"pad must be a number, or four of them, not {pad!r}")
        self._pad_value = pad_value

    def forward(self, x: Any) -> Any:  # type: ignore[override]
        """Cut an image."""
        if self._pad:
            x = copyMakeBorder(x, *self._pad, value=self._pad_value, values=(self._pad_value,) * x.shape[-1])
        return random_crop(x, self._size, self._interpolation)[0]


# --- rotating ----------------------------------------------------------------------------------


def _require_float(x: Any) -> None:
    if x.dtype != numpy.float32:
        raise TypeError("This transformation only supports float32. Consider calling it after ToTensor")


class Rotate(Block):
    """Rotates a tensor (C, H, W), or each one of a batch, around its middle.

    Parameters
    ----------
    rotation_degrees : float
        By how much.
    zoom_in : bool
        Whether to enlarge the image so that there are no empty corners.
    zoom_out : bool
        Shrink, so that all of the image is seen.
    """

    def __init__(self, rotation_degrees: float, zoom_in: bool = False, zoom_out: bool = False) -> None:
        super().__init__()
        self._arguments = (rotation_degrees, zoom_in, zoom_out)

    def forward(self, x: Any) -> Any:  # type: ignore[override]
        """Rotate a tensor of float32."""
        _require_float(x)
        return imrotate(x, *self._arguments)


class RandomRotation(Block):
    """Rotates a tensor (C, H, W), or each one of a batch, by a random angle.

    Parameters
    ----------
    angle_limits : (float, float)
        Smallest and largest angle in degrees.
    zoom_in, zoom_out : bool
        As in :class:`Rotate`.
    rotate_with_proba : float
        The probability; else the tensor stays as it is.
    """

    def __init__(
        self,
        angle_limits: tuple[float, float],
        zoom_in: bool = False,
        zoom_out: bool = False,
        rotate_with_proba: float = 1.0,
    ) -> None:
        super().__init__()
        lower, upper = angle_limits
        if lower >= upper:
            raise ValueError("`angle_limits` must be an ordered tuple")
        if not 0 <= rotate_with_proba <= 1:
            raise ValueError("Probability of rotating the image should be between 0 and 1")
        self._arguments = (angle_limits, zoom_in, zoom_out)
        self._probability = rotate_with_proba

    def forward(self, x: Any) -> Any:  # type: ignore[override]
        """Rotate a tensor of float32, or not."""
        if numpy.random.random() > self._probability:
            return x
        _require_float(x)
        return random_rotate(x, *self._arguments)


# --- random changes ----------------------------------------------------------------------------


class RandomFlipLeftRight(HybridBlock):
    """Mirrors an image left to right with probability 1/2."""

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Mirror, or not."""
        return _call(F, "random_flip_left_right", x)


class RandomFlipTopBottom(HybridBlock):
    """Turns an image upside down with probability 1/2."""

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Turn, or not."""
        return _call(F, "random_flip_top_bottom", x)


class _RandomFactor(HybridBlock):
    """A change of colour by a random factor around 1."""

    operator: str

    def __init__(self, amount: float) -> None:
        super().__init__()
        self._factors = {"min_factor": max(0.0, 1.0 - amount), "max_factor": 1.0 + amount}

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Change the colours."""
        return _call(F, self.operator, x, **self._factors)


class RandomBrightness(_RandomFactor):
    """Multiplies all colours by a random factor in ``[1 - brightness, 1 + brightness]``.

    Parameters
    ----------
    brightness : float
        The largest change.
    """

    operator = "random_brightness"

    def __init__(self, brightness: float) -> None:
        super().__init__(brightness)


class RandomContrast(_RandomFactor):
    """Scales the distances from the mean grey by a factor in ``[1 - contrast, 1 + contrast]``.

    Parameters
    ----------
    contrast : float
        The largest change.
    """

    operator = "random_contrast"

    def __init__(self, contrast: float) -> None:
        super().__init__(contrast)


class RandomSaturation(_RandomFactor):
    """Scales the distances from each pixel's grey by a factor in ``[1 - saturation, 1 + saturation]``.

    Parameters
    ----------
    saturation : float
        The largest change.
    """

    operator = "random_saturation"

    def __init__(self, saturation: float) -> None:
        super().__init__(saturation)


class RandomHue(_RandomFactor):
    """Turns all hues by a random part of the circle, at most ``hue``.

    Parameters
    ----------
    hue : float
        The largest change.
    """

    operator = "random_hue"

    def __init__(self, hue: float) -> None:
        super().__init__(hue)


class RandomColorJitter(HybridBlock):
    """Changes brightness, contrast, saturation and hue in random order.

    Parameters
    ----------
    brightness, contrast, saturation, hue : float
        The largest changes.
    """

    def __init__(self, brightness: float = 0, contrast: float = 0, saturation: float = 0, hue: float = 0) -> None:
        super().__init__()
        self._amounts = {
            "brightness": brightness,
            "contrast": contrast,
            "saturation": saturation,
            "hue": hue,
        }

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Change the colours."""
        return _call(F, "random_color_jitter", x, **self._amounts)


class RandomLighting(HybridBlock):
    """Adds random amounts of the principal components of natural images' colours.

    Parameters
    ----------
    alpha : float
        Standard deviation of the amounts.
    """

    def __init__(self, alpha: float) -> None:
        super().__init__()
        self._alpha = alpha

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Change the colours."""
        return _call(F, "random_lighting", x, alpha_std=self._alpha)


class RandomGray(Block):
    """Makes an image grey; it keeps its three channels. MXNet has it from version 2 on.

    Parameters
    ----------
    p : float
        The probability.
    """

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        self._augmenter = RandomGrayAug(p)

    def forward(self, x: Any) -> Any:  # type: ignore[override]
        """Make an image grey, or not."""
        grey = self._augmenter(x.astype("float32"))
        whole = numpy.dtype(x.dtype).kind != "f"
        return (grey.round() if whole else grey).astype(x.dtype)


#: Transforms that do the same to each image of a batch: a loader may apply them to whole batches.
_BATCHWISE: tuple[type, ...] = (Cast, CenterCrop, CropResize, Normalize, Resize, ToTensor)


def works_on_batches(transform: Callable[..., Any]) -> bool:
    """Return whether a transform of a batch is the batch of the transformed images."""
    if type(transform) in (Compose, HybridSequential, Sequential):
        return all(works_on_batches(child) for child in transform._children.values())  # type: ignore[attr-defined]
    return type(transform) in _BATCHWISE
