"""Transforms of images, for ``dataset.transform_first``.

Inputs are images of shape (height, width, channels) with pixels from 0 to 255. :class:`ToTensor` converts an image to
a tensor of shape (channels, height, width) with values from 0 to 1. :class:`Normalize` is applied to such tensors.
Transforms that are HybridBlocks can be part of a hybridized network and of its exported graph.
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
from d2lhybrid.internals.support.notes import with_note
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
    """Call an image operator in the current dialect."""
    place = F.npx.image if is_np_array() else F.image
    return getattr(place, name)(image, **attributes)


def _run(name: str, image: Any, /, **attributes: Any) -> Any:
    """Run an image operator on an array."""
    return invoke(get_operator(f"_image_{name}"), (image,), attributes, type(image))


class Compose(Sequential):
    """A sequence of transforms. Adjacent HybridBlocks are hybridized together.

    Parameters
    ----------
    transforms : list of callable
        The transforms, usually blocks.
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
    """A transform that applies another transform with a fixed probability.

    Parameters
    ----------
    transforms : Block or callable
        The transform to apply.
    p : float
        Probability of applying the transform.
    """

    def __init__(self, transforms: Any, p: float = 0.5) -> None:
        super().__init__()
        self.transforms = transforms
        self.p = p

    def forward(self, x: Any) -> Any:  # type: ignore[override]
        """Apply the transform, or return the input unchanged.

        Parameters
        ----------
        x : NDArray
            The image.

        Returns
        -------
        NDArray
            The transformed or unchanged input.
        """
        return x if self.p < random.random() else self.transforms(x)


# --- tensors -----------------------------------------------------------------------------------


class Cast(HybridBlock):
    """A transform that converts an image to another element type.

    Parameters
    ----------
    dtype : str
        The element type of the result.
    """

    def __init__(self, dtype: Any = "float32") -> None:
        super().__init__()
        self._dtype = dtype

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Convert the element type of an image."""
        return x.astype(self._dtype) if is_np_array() else F.cast(x, self._dtype)


class ToTensor(HybridBlock):
    """A transform that converts an image into a float32 tensor.

    The image has the axes (H, W, C) and pixel values from 0 to 255; the tensor has the axes (C, H, W) and values from
    0 to 1.

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
        """Convert an image, or a batch of images, to a tensor."""
        return _call(F, "to_tensor", x)


class Normalize(HybridBlock):
    """A transform that subtracts a mean from each channel of a tensor and divides by a standard deviation.

    Parameters
    ----------
    mean, std : float or tuple of float
        Value for all channels, or a value for each channel.
    """

    def __init__(self, mean: Any = 0.0, std: Any = 1.0) -> None:
        super().__init__()
        self._mean, self._std = mean, std

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Normalize a tensor, or a batch of tensors."""
        return _call(F, "normalize", x, mean=self._mean, std=self._std)


# --- cropping and resizing ---------------------------------------------------------------------


def _width_height(size: Any) -> tuple[int, int]:
    return (size, size) if isinstance(size, int) else (size[0], size[1])


def _crop_resize(x: Any, left: int, top: int, width: int, height: int, size: Any, interp: int) -> Any:
    cut = _run("crop", x, x=left, y=top, width=width, height=height)
    if size is None or _width_height(size) == (width, height):
        return cut
    return _run("resize", cut, size=_width_height(size), interp=interp)


class Resize(HybridBlock):
    """A transform that resizes an image.

    Parameters
    ----------
    size : int or (int, int)
        The new size. Two numbers are width and height.
    keep_ratio : bool
        Whether to keep the aspect ratio. If True, a single number in ``size`` is the length of the shorter edge.
    interpolation : int
        Interpolation method: 0 for nearest neighbor, 1 for bilinear, 2 for bicubic, 3 for area, 4 for Lanczos.
    """

    def __init__(self, size: Any, keep_ratio: bool = False, interpolation: int = 1) -> None:
        super().__init__()
        self._size, self._keep, self._interpolation = size, keep_ratio, interpolation

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Resize an image, or a batch of images."""
        return _call(F, "resize", x, size=self._size, keep_ratio=self._keep, interp=self._interpolation)


class CenterCrop(Block):
    """A transform that crops the center of an image. An image that is too small is enlarged.

    Parameters
    ----------
    size : int or (int, int)
        The size. Two numbers are width and height.
    interpolation : int
        Interpolation method; see :class:`Resize`.
    """

    def __init__(self, size: Any, interpolation: int = 1) -> None:
        super().__init__()
        self._size, self._interpolation = _width_height(size), interpolation

    def forward(self, x: Any) -> Any:  # type: ignore[override]
        """Crop an image, or each image of a batch.

        Parameters
        ----------
        x : NDArray
            The image (H, W, C), or a batch of images.

        Returns
        -------
        NDArray
            The crop.
        """
        rows, columns = x.shape[-3:-1]
        left, top, width, height = middle(columns, rows, self._size)
        return _crop_resize(x, left, top, width, height, self._size, self._interpolation)


class CropResize(HybridBlock):
    """A transform that crops a rectangle from an image and resizes it if requested.

    Parameters
    ----------
    x, y : int
        Coordinates of the upper left corner.
    width, height : int
        The size of the rectangle.
    size : int or (int, int), optional
        The size of the result; the size of the rectangle by default.
    interpolation : int, optional
        Interpolation method; see :class:`Resize`.
    """

    def __init__(
        self, x: int, y: int, width: int, height: int, size: Any = None, interpolation: int | None = None
    ) -> None:
        super().__init__()
        self._rectangle = {"x": x, "y": y, "width": width, "height": height}
        self._size, self._interpolation = size, interpolation

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Crop an image, or each image of a batch."""
        cut = _call(F, "crop", x, **self._rectangle)
        if not self._size:
            return cut
        interp = 1 if self._interpolation is None else self._interpolation
        return _call(F, "resize", cut, size=self._size, keep_ratio=False, interp=interp)


class RandomResizedCrop(Block):
    """A transform that crops a random rectangle from an image and resizes it.

    Parameters
    ----------
    size : int or (int, int)
        The size of the result. Two numbers are width and height.
    scale : (float, float)
        Smallest and largest area of the rectangle, as a fraction of the image's area.
    ratio : (float, float)
        Smallest and largest ratio of the rectangle's width to its height.
    interpolation : int
        Interpolation method; see :class:`Resize`.
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
        """Crop a random rectangle from an image and resize it.

        Parameters
        ----------
        x : NDArray
            The image (H, W, C).

        Returns
        -------
        NDArray
            The crop.
        """
        rows, columns = x.shape[-3:-1]
        left, top, width, height = random_rectangle(columns, rows, self._size, self._scale, self._ratio)
        return _crop_resize(x, left, top, width, height, self._size, self._interpolation)


class RandomCrop(Block):
    """A transform that crops a rectangle of a fixed size at a random position, after optional padding.

    This class is from MXNet 2.

    Parameters
    ----------
    size : int or (int, int)
        The size. Two numbers are width and height.
    pad : int or (int, int, int, int), optional
        Width of the padding: one number for all sides, or numbers for top, bottom, left, and right.
    pad_value : float
        Color of the padding.
    interpolation : int
        Interpolation method for enlarging images that are too small; see :class:`Resize`.

    Raises
    ------
    ValueError
        If ``pad`` is a sequence whose length is not 4.
    """

    def __init__(self, size: Any, pad: Any = None, pad_value: float = 0, interpolation: int = 1) -> None:
        super().__init__()
        self._size, self._interpolation = _width_height(size), interpolation
        self._pad = (pad,) * 4 if isinstance(pad, int) else pad
        if self._pad is not None and len(self._pad) != 4:
            raise ValueError(f"pad must be an integer or four integers, not {pad!r}")
        self._pad_value = pad_value

    def forward(self, x: Any) -> Any:  # type: ignore[override]
        """Pad an image if requested, and crop a rectangle at a random position.

        Parameters
        ----------
        x : NDArray
            The image (H, W, C).

        Returns
        -------
        NDArray
            The crop.
        """
        if self._pad:
            x = copyMakeBorder(x, *self._pad, value=self._pad_value, values=(self._pad_value,) * x.shape[-1])
        return random_crop(x, self._size, self._interpolation)[0]


# --- rotation ----------------------------------------------------------------------------------


def _require_float(x: Any) -> None:
    if x.dtype != numpy.float32:
        error = TypeError("This transformation only supports float32. Consider calling it after ToTensor")
        raise with_note(error, f"The element type of the argument is {numpy.dtype(x.dtype)}.")


class Rotate(Block):
    """A transform that rotates a tensor (C, H, W), or each tensor of a batch, around its center.

    Parameters
    ----------
    rotation_degrees : float
        Angle in degrees.
    zoom_in : bool
        Whether to enlarge the image so that no corner is empty.
    zoom_out : bool
        Whether to shrink the image so that all of it is visible.
    """

    def __init__(self, rotation_degrees: float, zoom_in: bool = False, zoom_out: bool = False) -> None:
        super().__init__()
        self._arguments = (rotation_degrees, zoom_in, zoom_out)

    def forward(self, x: Any) -> Any:  # type: ignore[override]
        """Rotate a float32 tensor.

        Parameters
        ----------
        x : NDArray
            The tensor (C, H, W), or a batch of tensors.

        Returns
        -------
        NDArray
            The rotated tensor.
        """
        _require_float(x)
        return imrotate(x, *self._arguments)


class RandomRotation(Block):
    """A transform that rotates a tensor (C, H, W), or each tensor of a batch, by a random angle.

    Parameters
    ----------
    angle_limits : (float, float)
        Smallest and largest angle in degrees.
    zoom_in, zoom_out : bool
        Arguments of :class:`Rotate`.
    rotate_with_proba : float
        Probability of a rotation.

    Raises
    ------
    ValueError
        If the limits are not increasing, or if the probability is not between 0 and 1.
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
            error = ValueError("`angle_limits` must be an ordered tuple")
            raise with_note(error, f"The first limit must be less than the second, but the limits are {angle_limits}.")
        if not 0 <= rotate_with_proba <= 1:
            error = ValueError("Probability of rotating the image should be between 0 and 1")
            raise with_note(error, f"rotate_with_proba is {rotate_with_proba!r}.")
        self._arguments = (angle_limits, zoom_in, zoom_out)
        self._probability = rotate_with_proba

    def forward(self, x: Any) -> Any:  # type: ignore[override]
        """Rotate a float32 tensor, or return it unchanged.

        Parameters
        ----------
        x : NDArray
            The tensor (C, H, W), or a batch of tensors.

        Returns
        -------
        NDArray
            The rotated or unchanged tensor.
        """
        if numpy.random.random() > self._probability:
            return x
        _require_float(x)
        return random_rotate(x, *self._arguments)


# --- random changes ----------------------------------------------------------------------------


class RandomFlipLeftRight(HybridBlock):
    """A transform that mirrors an image from left to right with probability 1/2."""

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Mirror the image from left to right with probability 1/2; otherwise, return it unchanged."""
        return _call(F, "random_flip_left_right", x)


class RandomFlipTopBottom(HybridBlock):
    """A transform that flips an image upside down with probability 1/2."""

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Flip the image upside down with probability 1/2; otherwise, return it unchanged."""
        return _call(F, "random_flip_top_bottom", x)


class _RandomFactor(HybridBlock):
    """A color transform with a random factor around 1."""

    operator: str

    def __init__(self, amount: float) -> None:
        super().__init__()
        self._factors = {"min_factor": max(0.0, 1.0 - amount), "max_factor": 1.0 + amount}

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Change the colors of the image at random."""
        return _call(F, self.operator, x, **self._factors)


class RandomBrightness(_RandomFactor):
    """A transform that multiplies all colors by a random factor in ``[1 - brightness, 1 + brightness]``.

    Parameters
    ----------
    brightness : float
        Maximum difference of the factor from 1.
    """

    operator = "random_brightness"

    def __init__(self, brightness: float) -> None:
        super().__init__(brightness)


class RandomContrast(_RandomFactor):
    """A transform that scales the difference of each color from the image's mean gray value by a random factor.

    The factor is in ``[1 - contrast, 1 + contrast]``.

    Parameters
    ----------
    contrast : float
        Maximum difference of the factor from 1.
    """

    operator = "random_contrast"

    def __init__(self, contrast: float) -> None:
        super().__init__(contrast)


class RandomSaturation(_RandomFactor):
    """A transform that scales the difference of each color from the gray value of its pixel by a random factor.

    The factor is in ``[1 - saturation, 1 + saturation]``.

    Parameters
    ----------
    saturation : float
        Maximum difference of the factor from 1.
    """

    operator = "random_saturation"

    def __init__(self, saturation: float) -> None:
        super().__init__(saturation)


class RandomHue(_RandomFactor):
    """A transform that rotates all hues by a random fraction of the color circle, at most ``hue``.

    Parameters
    ----------
    hue : float
        Maximum rotation, as a fraction of the color circle.
    """

    operator = "random_hue"

    def __init__(self, hue: float) -> None:
        super().__init__(hue)


class RandomColorJitter(HybridBlock):
    """A transform that changes brightness, contrast, saturation, and hue in random order.

    Parameters
    ----------
    brightness, contrast, saturation, hue : float
        Maximum change of each property.
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
        """Change the colors of the image at random."""
        return _call(F, "random_color_jitter", x, **self._amounts)


class RandomLighting(HybridBlock):
    """A transform that adds random multiples of the principal components of natural images' colors.

    Parameters
    ----------
    alpha : float
        Standard deviation of the multiples.
    """

    def __init__(self, alpha: float) -> None:
        super().__init__()
        self._alpha = alpha

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Change the colors of the image at random."""
        return _call(F, "random_lighting", x, alpha_std=self._alpha)


class RandomGray(Block):
    """A transform that randomly converts an image to gray, in three equal channels. This class is from MXNet 2.

    Parameters
    ----------
    p : float
        Probability of the conversion.
    """

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        self._augmenter = RandomGrayAug(p)

    def forward(self, x: Any) -> Any:  # type: ignore[override]
        """Convert an image to gray, or return it unchanged.

        Parameters
        ----------
        x : NDArray
            The image (H, W, C).

        Returns
        -------
        NDArray
            The gray or unchanged image.
        """
        grey = self._augmenter(x.astype("float32"))
        whole = numpy.dtype(x.dtype).kind != "f"
        return (grey.round() if whole else grey).astype(x.dtype)


#: Transforms that treat all images of a batch alike, so that a loader may apply them to whole batches.
_BATCHWISE: tuple[type, ...] = (Cast, CenterCrop, CropResize, Normalize, Resize, ToTensor)


def works_on_batches(transform: Callable[..., Any]) -> bool:
    """Return whether a transform can be applied to a whole batch instead of to each image.

    Parameters
    ----------
    transform : callable
        The transform.

    Returns
    -------
    bool
        True only for transforms of this package, whose results are known to be the same in both cases.
    """
    if type(transform) in (Compose, HybridSequential, Sequential):
        return all(works_on_batches(child) for child in transform._children.values())  # type: ignore[attr-defined]
    return type(transform) in _BATCHWISE
