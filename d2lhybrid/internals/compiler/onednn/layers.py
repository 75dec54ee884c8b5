"""Batch normalization with the channels last, and its gradient."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy

from ...device.address import address
from .library import Unsupported
from .ordering import channels_last, in_order
from .primitive import DIFF_DST, DIFF_SRC, DST, SRC, Primitive, described, hinting, make_descriptor

__all__ = ["BatchNormalization", "BatchNormalizationGradient"]

_FORWARD, _BACKWARD = 64, 128
# dnnl_normalization_flags_t, and DNNL_ARG_... that only normalisations use.
_GLOBAL, _SCALE, _SHIFT = 1, 2, 4
_MEAN, _VARIANCE, _SCALES, _SHIFTS, _DIFF_SCALES, _DIFF_SHIFTS = 49, 50, 51, 52, 255, 256


def _forward_descriptor(shape: tuple[int, ...], eps: float) -> ctypes.c_void_p:
    data = channels_last(shape)
    return make_descriptor(
        "batch_normalization_forward", _FORWARD, data.handle, data.handle, ctypes.c_float(eps), _SCALE | _SHIFT, None
    )


def _results(shape: tuple[int, ...], given: dict[str, Any]) -> list[Any]:
    """Return arrays for images and for two numbers per channel: the destinations in `given`, or new arrays."""
    places = [given.get(f"out{i}_given") for i in range(3)]
    shapes = [shape, shape[-1:], shape[-1:]]
    return [
        numpy.empty(shape, numpy.float32) if place is None else place
        for place, shape in zip(places, shapes, strict=True)
    ]


class BatchNormalization:
    """The map ``(x - mean) / sqrt(variance + eps) · scale + shift`` with the statistics of the batch.

    Parameters
    ----------
    shape : tuple of int
        The shape of the images, ``(batch, *sizes, channels)``.
    eps : float
        The number that is added to the variance.
    fixed : bool
        Whether the scale is fixed to one.

    Raises
    ------
    Unsupported
        If an axis has size 0, or if oneDNN doesn't support the computation.
    """

    shape: tuple[int, ...]

    def __init__(self, shape: tuple[int, ...], eps: float, fixed: bool) -> None:
        if 0 in shape:
            raise Unsupported("an array has an axis of size 0")
        self.shape, self.eps = shape, numpy.float32(eps)
        self.ones = numpy.ones(shape[-1], numpy.float32) if fixed else None
        data, vector = channels_last(shape), described(shape[-1:], (1,))
        vectors = [(number, vector) for number in (_MEAN, _VARIANCE, _SCALES, _SHIFTS)]
        self.primitive: Primitive = Primitive(
            lambda: _forward_descriptor(shape, eps), lambda _: [(SRC, data), (DST, data), *vectors]
        )
        self.implementation: str = self.primitive.implementation

    def run(self, data: Any, gamma: Any, beta: Any, *moving: Any, **given: Any) -> tuple[Any, Any, Any]:
        """Return the result, the means, and the reciprocal standard deviations.

        Parameters
        ----------
        data : array
            The images.
        gamma, beta : array
            The scale and the shift of each channel.
        *moving : array
            The operator's moving statistics, which are ignored.
        **given : array
            ``out0_given=`` and so on are destinations of the results.

        Returns
        -------
        tuple of (array, array, array)
            The normalized images, and the mean and the reciprocal standard deviation of each channel.
        """
        result, mean, scale = _results(self.shape, given)
        gamma = in_order(gamma) if self.ones is None else self.ones
        data, beta = in_order(data), in_order(beta)
        self.primitive.run(*map(address, (data, result, mean, scale, gamma, beta)))
        numpy.add(scale, self.eps, out=scale)  # before this line, `scale` holds the variance
        numpy.sqrt(scale, out=scale)
        numpy.divide(numpy.float32(1), scale, out=scale)
        return result, mean, scale


class BatchNormalizationGradient:
    """The gradients of :class:`BatchNormalization` with respect to data, scale, and shift.

    Parameters
    ----------
    shape, fixed
        Arguments of :class:`BatchNormalization`.

    Raises
    ------
    Unsupported
        If an axis has size 0, or if oneDNN doesn't support the computation.
    """

    def __init__(self, shape: tuple[int, ...], fixed: bool) -> None:
        if 0 in shape:
            raise Unsupported("an array has an axis of size 0")
        self.shape = shape
        self.ones = numpy.ones(shape[-1], numpy.float32) if fixed else None
        data, vector = channels_last(shape), described(shape[-1:], (1,))

        def describe() -> ctypes.c_void_p:
            with hinting(_forward_descriptor(shape, 0.0)) as hint:
                return make_descriptor(
                    "batch_normalization_backward", _BACKWARD, data.handle, data.handle, data.handle,
                    ctypes.c_float(0.0), _SCALE | _SHIFT, hint, None,
                )  # fmt: skip

        arrays = [(DIFF_DST, data), (SRC, data), (DIFF_SRC, data)]
        numbers = (_SCALES, _MEAN, _VARIANCE, _DIFF_SCALES, _DIFF_SHIFTS)
        self.primitive: Primitive = Primitive(describe, lambda _: [*arrays, *((number, vector) for number in numbers)])
        self.implementation: str = self.primitive.implementation

    def run(self, dy: Any, data: Any, gamma: Any, mean: Any, scale: Any, **given: Any) -> tuple[Any, Any, Any]:
        """Return the gradients of the images, the scale, and the shift.

        Parameters
        ----------
        dy : array
            The gradient of the result.
        data : array
            The images.
        gamma : array
            The scale of each channel.
        mean, scale : array
            The mean and the reciprocal standard deviation of each channel, from :meth:`BatchNormalization.run`.
        **given : array
            ``out0_given=`` and so on are destinations of the results.

        Returns
        -------
        tuple of (array, array, array)
            The gradients.
        """
        d_data, d_gamma, d_beta = _results(self.shape, given)
        gamma = in_order(gamma) if self.ones is None else self.ones
        variance = numpy.divide(numpy.float32(1), scale * scale)  # includes eps, so that oneDNN adds none
        dy, data, mean = in_order(dy), in_order(data), in_order(mean)
        self.primitive.run(*map(address, (dy, data, d_data, gamma, mean, variance, d_gamma, d_beta)))
        return d_data, d_gamma, d_beta
