"""Augmenters, which change images, mostly at random. A list of augmenters is applied in order.

The augmenters draw random numbers from Python's module ``random``, except for :class:`LightingAug`, which uses
``numpy.random``. MXNet uses the same generators, so equal seeds give equal images.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Sequence
from typing import Any

import numpy

from ..internals.support.display import Shown
from ..ndarray import NDArray
from .arrays import of_the_kind, run
from .cropping import (
    center_crop,
    color_normalize,
    imresize,
    interpolation_method,
    random_crop,
    random_size_crop,
    renamed_area,
    resize_short,
)

__all__ = [
    "Augmenter", "BrightnessJitterAug", "CastAug", "CenterCropAug", "ColorJitterAug", "ColorNormalizeAug",
    "ContrastJitterAug", "CreateAugmenter", "ForceResizeAug", "HorizontalFlipAug", "HueJitterAug", "LightingAug",
    "RandomCropAug", "RandomGrayAug", "RandomOrderAug", "RandomSizedCropAug", "ResizeAug", "SaturationJitterAug",
    "SequentialAug",
]  # fmt: skip

#: Weights of red, green, and blue in the perceived brightness.
_LUMINANCE = numpy.array([[[0.299, 0.587, 0.114]]], "float32")

#: Mean and standard deviation of the colors of ImageNet, and their principal components from the AlexNet paper.
IMAGENET_MEAN = numpy.array([123.68, 116.28, 103.53])
IMAGENET_STD = numpy.array([58.395, 57.12, 57.375])
IMAGENET_EIGENVALUES = numpy.array([55.46, 4.794, 1.148])
IMAGENET_EIGENVECTORS = numpy.array(
    [[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]]
)


def plain_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Convert the arrays in settings to lists, so that JSON can express the settings.

    Parameters
    ----------
    settings : dict
        The settings, by name.

    Returns
    -------
    dict of str to object
        The converted settings.
    """
    plain = {}
    for name, value in settings.items():
        value = value.asnumpy() if isinstance(value, NDArray) else value
        plain[name] = value.tolist() if isinstance(value, numpy.ndarray | numpy.generic) else value
    return plain


class Augmenter(Shown):
    """The base class of image augmenters. Subclasses override ``__call__``.

    Parameters
    ----------
    **kwargs
        Settings, which :meth:`dumps` includes in its result.
    """

    def __init__(self, **kwargs: Any) -> None:
        self._kwargs = plain_settings(kwargs)

    def dumps(self) -> Any:
        """Return the class's name and the settings as JSON. Augmenters that contain other augmenters return a list.

        Returns
        -------
        str or list
            JSON list of the name in lower case and the settings.

        Examples
        --------
        >>> ResizeAug(300).dumps()
        '["resizeaug", {"size": 300, "interp": 2}]'
        """
        return json.dumps([type(self).__name__.lower(), self._kwargs])

    def __call__(self, src: Any) -> Any:
        """Return the augmented image. Subclasses override this method."""
        raise NotImplementedError("Must override implementation.")


# --- sequences -------------------------------------------------------------------------------------------


class SequentialAug(Augmenter):
    """A sequence of augmenters.

    Parameters
    ----------
    ts : list of Augmenter
        The augmenters.
    """

    def __init__(self, ts: Sequence[Augmenter]) -> None:
        super().__init__()
        self.ts = ts

    def dumps(self) -> Any:
        """Return a list of the class's name and the result of ``dumps()`` for each augmenter.

        Returns
        -------
        list
            The name and the results.
        """
        return [type(self).__name__.lower(), [augmenter.dumps() for augmenter in self.ts]]

    def __call__(self, src: Any) -> Any:
        """Apply the augmenters in order, and return the image."""
        for augmenter in self.ts:
            src = augmenter(src)
        return src


class RandomOrderAug(Augmenter):
    """A sequence of augmenters in random order.

    Parameters
    ----------
    ts : list of Augmenter
        The augmenters. Each call shuffles the list.
    """

    def __init__(self, ts: list[Augmenter]) -> None:
        super().__init__()
        self.ts = ts

    def dumps(self) -> Any:
        """Return a list of the class's name and the result of ``dumps()`` for each augmenter.

        Returns
        -------
        list
            The name and the results.
        """
        return [type(self).__name__.lower(), [augmenter.dumps() for augmenter in self.ts]]

    def __call__(self, src: Any) -> Any:
        """Apply the augmenters in random order, and return the image."""
        random.shuffle(self.ts)
        for augmenter in self.ts:
            src = augmenter(src)
        return src


# --- cropping and resizing -------------------------------------------------------------------------------


class ResizeAug(Augmenter):
    """An augmenter that resizes an image so that the shorter edge has a fixed length; see :func:`resize_short`.

    Parameters
    ----------
    size : int
        New length of the shorter edge in pixels.
    interp : int
        The interpolation method.
    """

    size: int
    interp: int

    def __init__(self, size: int, interp: int = 2) -> None:
        super().__init__(size=size, interp=interp)
        self.size, self.interp = size, interp

    def __call__(self, src: Any) -> Any:
        """Return the resized image."""
        return resize_short(src, self.size, self.interp)


class ForceResizeAug(Augmenter):
    """An augmenter that resizes an image to an exact size, without keeping the aspect ratio.

    Parameters
    ----------
    size : (int, int)
        The new width and height.
    interp : int
        The interpolation method.
    """

    size: tuple[int, int]
    interp: int

    def __init__(self, size: tuple[int, int], interp: int = 2) -> None:
        super().__init__(size=size, interp=interp)
        self.size, self.interp = size, interp

    def __call__(self, src: Any) -> Any:
        """Return the resized image."""
        sizes = (src.shape[0], src.shape[1], self.size[1], self.size[0])
        return imresize(src, *self.size, interp=interpolation_method(self.interp, sizes))


class RandomCropAug(Augmenter):
    """An augmenter that crops a rectangle at a random position; see :func:`random_crop`.

    Parameters
    ----------
    size : (int, int)
        Width and height of the crop.
    interp : int
        The interpolation method.
    """

    size: tuple[int, int]
    interp: int

    def __init__(self, size: tuple[int, int], interp: int = 2) -> None:
        super().__init__(size=size, interp=interp)
        self.size, self.interp = size, interp

    def __call__(self, src: Any) -> Any:
        """Return the crop."""
        return random_crop(src, self.size, self.interp)[0]


class RandomSizedCropAug(Augmenter):
    """An augmenter that crops a rectangle of random size and shape; see :func:`random_size_crop`.

    Parameters
    ----------
    size : (int, int)
        Width and height of the result.
    area : float or (float, float)
        Smallest area, or smallest and largest area, as a fraction of the image's area.
    ratio : (float, float)
        Smallest and largest ratio of width to height.
    interp : int
        The interpolation method.
    """

    size: tuple[int, int]
    area: Any
    ratio: tuple[float, float]
    interp: int

    def __init__(
        self, size: tuple[int, int], area: Any, ratio: tuple[float, float], interp: int = 2, **kwargs: Any
    ) -> None:
        area = renamed_area(area, kwargs, "RandomSizedCropAug")
        super().__init__(size=size, area=area, ratio=ratio, interp=interp)
        self.size, self.area, self.ratio, self.interp = size, area, ratio, interp

    def __call__(self, src: Any) -> Any:
        """Return the crop."""
        return random_size_crop(src, self.size, self.area, self.ratio, self.interp)[0]


class CenterCropAug(Augmenter):
    """An augmenter that crops the center of an image; see :func:`center_crop`.

    Parameters
    ----------
    size : (int, int)
        Width and height of the crop.
    interp : int
        The interpolation method.
    """

    size: tuple[int, int]
    interp: int

    def __init__(self, size: tuple[int, int], interp: int = 2) -> None:
        super().__init__(size=size, interp=interp)
        self.size, self.interp = size, interp

    def __call__(self, src: Any) -> Any:
        """Return the crop."""
        return center_crop(src, self.size, self.interp)[0]


class HorizontalFlipAug(Augmenter):
    """An augmenter that mirrors an image left to right.

    Parameters
    ----------
    p : float
        Probability of mirroring.
    """

    def __init__(self, p: float) -> None:
        super().__init__(p=p)
        self.p = p

    def __call__(self, src: Any) -> Any:
        """Return the mirrored or unchanged image."""
        return run("reverse", src, axis=(1,)) if random.random() < self.p else src


# --- color -----------------------------------------------------------------------------------------------


class BrightnessJitterAug(Augmenter):
    """An augmenter that multiplies all colors by a random factor, in place.

    Parameters
    ----------
    brightness : float
        Maximum difference of the factor from 1.
    """

    def __init__(self, brightness: float) -> None:
        super().__init__(brightness=brightness)
        self.brightness = brightness

    def __call__(self, src: Any) -> Any:
        """Change the brightness of the image in place, and return the image."""
        src *= 1.0 + random.uniform(-self.brightness, self.brightness)
        return src


class ContrastJitterAug(Augmenter):
    """An augmenter that multiplies the difference from the mean gray value by a random factor, in place.

    Parameters
    ----------
    contrast : float
        Maximum difference of the factor from 1.
    """

    def __init__(self, contrast: float) -> None:
        super().__init__(contrast=contrast)
        self.contrast = contrast

    def __call__(self, src: Any) -> Any:
        """Change the contrast of the image in place, and return the image."""
        factor = 1.0 + random.uniform(-self.contrast, self.contrast)
        grey = (src * of_the_kind(src, _LUMINANCE)).sum() * (3.0 * (1.0 - factor) / src.size)
        src *= factor
        src += grey
        return src


class SaturationJitterAug(Augmenter):
    """An augmenter that multiplies each pixel's difference from its gray value by a random factor, in place.

    Parameters
    ----------
    saturation : float
        Maximum difference of the factor from 1.
    """

    def __init__(self, saturation: float) -> None:
        super().__init__(saturation=saturation)
        self.saturation = saturation

    def __call__(self, src: Any) -> Any:
        """Change the saturation of the image in place, and return the image."""
        factor = 1.0 + random.uniform(-self.saturation, self.saturation)
        grey = (src * of_the_kind(src, _LUMINANCE)).sum(axis=2, keepdims=True) * (1.0 - factor)
        src *= factor
        src += grey
        return src


class HueJitterAug(Augmenter):
    """An augmenter that rotates all hues by a random angle, with a linear map of the colors.

    Parameters
    ----------
    hue : float
        Maximum angle, as a fraction of a half turn.
    """

    #: The maps from RGB to brightness and two color differences (YIQ, of NTSC television), and back.
    _TO_YIQ = numpy.array([[0.299, 0.587, 0.114], [0.596, -0.274, -0.321], [0.211, -0.523, 0.311]])
    _FROM_YIQ = numpy.array([[1.0, 0.956, 0.621], [1.0, -0.272, -0.647], [1.0, -1.107, 1.705]])

    def __init__(self, hue: float) -> None:
        super().__init__(hue=hue)
        self.hue = hue

    def __call__(self, src: Any) -> Any:
        """Return the image with rotated hues."""
        angle = random.uniform(-self.hue, self.hue) * math.pi
        cosine, sine = math.cos(angle), math.sin(angle)
        turn = numpy.array([[1.0, 0.0, 0.0], [0.0, cosine, -sine], [0.0, sine, cosine]])
        return run("dot", src, of_the_kind(src, (self._FROM_YIQ @ turn @ self._TO_YIQ).T))


class ColorJitterAug(RandomOrderAug):
    """An augmenter that changes brightness, contrast, and saturation in random order.

    Parameters
    ----------
    brightness, contrast, saturation : float
        Maximum differences of the random factors from 1. With 0, the augmenter does not change the property.
    """

    def __init__(self, brightness: float, contrast: float, saturation: float) -> None:
        kinds = ((BrightnessJitterAug, brightness), (ContrastJitterAug, contrast), (SaturationJitterAug, saturation))
        super().__init__([kind(amount) for kind, amount in kinds if amount > 0])


class LightingAug(Augmenter):
    """An augmenter that adds random multiples of the principal components of colors, in place.

    Parameters
    ----------
    alphastd : float
        Standard deviation of the multiples.
    eigval : array
        Three eigenvalues.
    eigvec : array
        Eigenvectors, one in each column.
    """

    alphastd: float
    eigval: Any
    eigvec: Any

    def __init__(self, alphastd: float, eigval: Any, eigvec: Any) -> None:
        super().__init__(alphastd=alphastd, eigval=eigval, eigvec=eigvec)
        self.alphastd, self.eigval, self.eigvec = alphastd, eigval, eigvec

    def __call__(self, src: Any) -> Any:
        """Change the colors of the image in place, and return the image."""
        amounts = numpy.random.normal(0, self.alphastd, size=(3,))
        src += of_the_kind(src, (numpy.asarray(self.eigvec) * amounts) @ numpy.asarray(self.eigval))
        return src


class ColorNormalizeAug(Augmenter):
    """An augmenter that subtracts a mean color and divides by a standard deviation; see :func:`color_normalize`.

    Parameters
    ----------
    mean, std : array or None
        Mean and standard deviation of each channel.
    """

    mean: NDArray | None
    std: NDArray | None

    def __init__(self, mean: Any, std: Any) -> None:
        super().__init__(mean=mean, std=std)
        self.mean, self.std = (
            values if values is None or isinstance(values, NDArray) else _legacy_array(values) for values in (mean, std)
        )

    def __call__(self, src: Any) -> Any:
        """Normalize the image in place, and return the image."""
        return color_normalize(src, self.mean, self.std)


def _legacy_array(values: Any) -> NDArray:
    from ..ndarray import array

    return array(values)


class RandomGrayAug(Augmenter):
    """An augmenter that randomly converts an image to gray, in three equal channels.

    Parameters
    ----------
    p : float
        Probability of a gray image.
    """

    _GREY = numpy.array([[0.21] * 3, [0.72] * 3, [0.07] * 3], "float32")

    def __init__(self, p: float) -> None:
        super().__init__(p=p)
        self.p = p

    def __call__(self, src: Any) -> Any:
        """Return the gray or unchanged image."""
        return run("dot", src, of_the_kind(src, self._GREY)) if random.random() < self.p else src


class CastAug(Augmenter):
    """An augmenter that converts an image to another element type.

    Parameters
    ----------
    typ : str
        The element type of the result.
    """

    def __init__(self, typ: str = "float32") -> None:
        super().__init__(type=typ)
        self.typ = typ

    def __call__(self, src: Any) -> Any:
        """Return the image with another element type."""
        return src.astype(self.typ)


# --- the standard list -----------------------------------------------------------------------------------


def colour_augmenters(
    brightness: float, contrast: float, saturation: float, hue: float, pca_noise: float, rand_gray: float
) -> list[Augmenter]:
    """Return the color augmenters whose settings are not 0, in MXNet's order.

    Parameters
    ----------
    brightness, contrast, saturation, hue, pca_noise, rand_gray
        Arguments of :func:`CreateAugmenter`.

    Returns
    -------
    list of Augmenter
        The augmenters.
    """
    augmenters: list[Augmenter] = []
    if brightness or contrast or saturation:
        augmenters.append(ColorJitterAug(brightness, contrast, saturation))
    if hue:
        augmenters.append(HueJitterAug(hue))
    if pca_noise > 0:
        augmenters.append(LightingAug(pca_noise, IMAGENET_EIGENVALUES, IMAGENET_EIGENVECTORS))
    if rand_gray > 0:
        augmenters.append(RandomGrayAug(rand_gray))
    return augmenters


def normalizing_augmenters(mean: Any, std: Any) -> list[Augmenter]:
    """Return a list with the augmenter that normalizes colors, or an empty list if ``mean`` and ``std`` are None.

    Parameters
    ----------
    mean, std
        Arguments of :func:`CreateAugmenter`.

    Returns
    -------
    list of Augmenter
        A list with one augmenter, or an empty list.

    Raises
    ------
    AssertionError
        If an argument is not True, None, or an array of 1 or 3 numbers.
    """
    chosen = []
    for name, values, usual in (("mean", mean, IMAGENET_MEAN), ("std", std, IMAGENET_STD)):
        values = usual if values is True else values
        if values is not None and not (
            isinstance(values, numpy.ndarray | NDArray) and values.shape and values.shape[0] in (1, 3)
        ):
            raise AssertionError(
                f"{name} must be True, None, or a NumPy array or NDArray of 1 or 3 numbers, not {values!r}"
            )
        chosen.append(values)
    return [] if mean is None and std is None else [ColorNormalizeAug(*chosen)]


def CreateAugmenter(  # noqa: N802
    data_shape: tuple[int, int, int],
    resize: int = 0,
    rand_crop: bool = False,
    rand_resize: bool = False,
    rand_mirror: bool = False,
    mean: Any = None,
    std: Any = None,
    brightness: float = 0,
    contrast: float = 0,
    saturation: float = 0,
    hue: float = 0,
    pca_noise: float = 0,
    rand_gray: float = 0,
    inter_method: int = 2,
) -> list[Augmenter]:
    """Return the standard list of augmenters for classification.

    Parameters
    ----------
    data_shape : (int, int, int)
        Number of channels, height, and width of the result.
    resize : int
        Length of the shorter edge before all other changes; 0 keeps the size.
    rand_crop : bool
        Whether to crop at a random position instead of at the center.
    rand_resize : bool
        Whether to crop a rectangle of random size and shape; requires ``rand_crop``.
    rand_mirror : bool
        Whether to mirror images left to right with probability 1/2.
    mean, std : True, array or None
        Mean color to subtract, and standard deviation to divide by. True selects the values of ImageNet.
    brightness, contrast, saturation, hue, pca_noise : float
        Maximum random change of brightness, contrast, saturation, and hue, and standard deviation of the multiples of
        :class:`LightingAug`. With 0, the property does not change.
    rand_gray : float
        Probability of a gray image.
    inter_method : int
        Interpolation method: 0 for nearest neighbor, 1 for bilinear, 2 for bicubic, 3 for area, 4 for Lanczos, 9 for a
        method that depends on the sizes, 10 for a random method.

    Returns
    -------
    list of Augmenter
        The augmenters, in the order of their application.

    Raises
    ------
    AssertionError
        If ``mean`` or ``std`` is not True, None, or an array of 1 or 3 numbers, or if ``rand_resize`` is True and
        ``rand_crop`` is False.

    Examples
    --------
    >>> [type(augmenter).__name__ for augmenter in CreateAugmenter((3, 224, 224), rand_mirror=True, mean=True)]
    ['CenterCropAug', 'HorizontalFlipAug', 'CastAug', 'ColorNormalizeAug']
    """
    augmenters: list[Augmenter] = [ResizeAug(resize, inter_method)] if resize > 0 else []
    size = (data_shape[2], data_shape[1])
    if rand_resize:
        if not rand_crop:
            raise AssertionError("rand_resize requires rand_crop=True")
        augmenters.append(RandomSizedCropAug(size, 0.08, (3.0 / 4.0, 4.0 / 3.0), inter_method))
    else:
        augmenters.append((RandomCropAug if rand_crop else CenterCropAug)(size, inter_method))
    if rand_mirror:
        augmenters.append(HorizontalFlipAug(0.5))
    augmenters.append(CastAug())
    augmenters += colour_augmenters(brightness, contrast, saturation, hue, pca_noise, rand_gray)
    mean, std = (
        usual.astype("float32") if given is True else given
        for given, usual in ((mean, IMAGENET_MEAN), (std, IMAGENET_STD))
    )
    return augmenters + normalizing_augmenters(mean, std)
