"""Convolutions by oneDNN for single calls of an operator, with contiguous arrays.

A program of the backend ``"onednn"`` keeps images in channels-last layout and weights packed. A single call, eager or
in a NumPy program, takes and returns contiguous arrays. Therefore, images, weights, and the result are copied to and
from the layout that oneDNN prefers, unless they have this layout. This pays off for large convolutions
(:func:`suits`).
"""

from __future__ import annotations

import ctypes
import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ...device.address import address
from ...ops import conv
from ...ops.unfold import Windows
from .. import threads
from .convolving import Geometry, describe_adjoint, describe_forward, describe_weight_gradient
from .library import Unsupported, is_available
from .primitive import (
    DIFF_DST,
    DIFF_SRC,
    DIFF_WEIGHTS,
    DST,
    SRC,
    WEIGHTS,
    Arguments,
    Descriptor,
    Primitive,
    any_layout,
    chosen,
    described,
    reorder,
    strides_of,
)

__all__ = ["SingleCalls", "suits"]

# dnnl_query_t: the argument whose layout is queried.
_SRC_MD, _DIFF_SRC_MD, _WEIGHTS_MD, _DIFF_WEIGHTS_MD, _DST_MD, _DIFF_DST_MD = 129, 130, 131, 132, 133, 134

#: NumPy's time in nanoseconds per multiplication and per copied element of a window (measured with one thread), and the
#: shortest total time for which oneDNN pays off, because creating a primitive takes a millisecond.
_MULTIPLY, _COPY, LEAST = 0.025, 0.3, 100_000
#: The smallest number of channels that oneDNN's gradient doesn't pad with zeros.
FEW_CHANNELS = 8


class _Order:
    """The memory layout of a convolution's arrays: channels first, or last.

    Parameters
    ----------
    geometry : Geometry
        The sizes.
    last : bool
        Whether the channels are the last axis.
    """

    def __init__(self, geometry: Geometry, last: bool) -> None:
        self._geometry, self._last = geometry, last
        g = geometry
        self.data: tuple[int, ...] = self._shape(g.batch, g.channels, g.sizes)
        self.result: tuple[int, ...] = self._shape(g.batch, g.filters, g.output)
        self.weight: tuple[int, ...] = self._shape(g.filters, g.channels // g.groups, g.kernel)

    def _shape(self, first: int, channels: int, sizes: Sequence[int]) -> tuple[int, ...]:
        return (first, *sizes, channels) if self._last else (first, channels, *sizes)

    def _second(self, values: Sequence[int]) -> tuple[int, ...]:
        """Return the values for the axes, with the channels second."""
        return (values[0], values[-1], *values[1:-1]) if self._last else tuple(values)

    def images(self, shape: tuple[int, ...]) -> Descriptor:
        """Return the descriptor of images."""
        return described(self._second(shape), self._second(strides_of(shape)))

    def weights(self) -> Descriptor:
        """Return the descriptor of the filters."""
        strides, g = self._second(strides_of(self.weight)), self._geometry
        group = [strides[0] * (g.filters // g.groups)] if g.groups > 1 else []
        return described(g.weight_dims(), (*group, *strides))


class _Call:
    """A call of a primitive, with the copies before and after it.

    Parameters
    ----------
    primitive : Primitive
        The primitive, whose last argument is the result.
    plain : sequence of Descriptor
        The layouts of the arguments in the call.
    shape : tuple of int
        The shape of the result.
    """

    def __init__(self, primitive: Primitive, plain: Sequence[Descriptor], shape: tuple[int, ...]) -> None:
        wanted = primitive.layouts
        self._primitive, self._shape = primitive, shape
        self._before = [None if a == b else (reorder(a, b), b.size // 4) for a, b in zip(plain, wanted, strict=True)]
        self._before.pop()
        same = plain[-1] == wanted[-1]
        self._behind = None if same else (reorder(wanted[-1], plain[-1]), wanted[-1].size // 4)

    def __call__(self, *arrays: Any) -> Any:
        result = numpy.empty(self._shape, numpy.float32)
        copies = []
        for array, copier in zip(arrays, self._before, strict=True):
            array = numpy.ascontiguousarray(array)
            if copier is not None:
                reordering, size = copier
                reordered = numpy.empty(size, numpy.float32)
                reordering.run(address(array), address(reordered))
                array = reordered
            copies.append(array)
        if self._behind is None:
            self._primitive.run(*map(address, copies), address(result))
            return result
        reordering, size = self._behind
        target = numpy.empty(size, numpy.float32)
        self._primitive.run(*map(address, copies), address(target))
        reordering.run(address(target), address(result))
        return result


#: The arguments of each map, in order: the role of each, and the query for its layout.
_Arguments = Sequence[tuple[int, int]]


def _primitive(
    describe: Callable[[Geometry, Descriptor, Descriptor], ctypes.c_void_p], g: Geometry, arguments: _Arguments
) -> Primitive:
    """Return the primitive of a map, for which oneDNN chooses all layouts."""
    data, result = any_layout((g.batch, g.channels, *g.sizes)), any_layout((g.batch, g.filters, *g.output))

    def arguments_of(descriptor: ctypes.c_void_p) -> Arguments:
        return [(number, chosen(descriptor, query)) for number, query in arguments]

    return Primitive(lambda: describe(g, data, result), arguments_of)


def _forward(g: Geometry, order: _Order) -> _Call:
    primitive = _primitive(describe_forward, g, [(SRC, _SRC_MD), (WEIGHTS, _WEIGHTS_MD), (DST, _DST_MD)])
    return _Call(primitive, [order.images(order.data), order.weights(), order.images(order.result)], order.result)


def _adjoint(g: Geometry, order: _Order) -> _Call:
    arguments = [(DIFF_DST, _DIFF_DST_MD), (WEIGHTS, _WEIGHTS_MD), (DIFF_SRC, _DIFF_SRC_MD)]
    plain = [order.images(order.result), order.weights(), order.images(order.data)]
    return _Call(_primitive(describe_adjoint, g, arguments), plain, order.data)


def _weight_gradient(g: Geometry, order: _Order) -> _Call:
    arguments = [(DIFF_DST, _DIFF_DST_MD), (SRC, _SRC_MD), (DIFF_WEIGHTS, _DIFF_WEIGHTS_MD)]
    plain = [order.images(order.result), order.images(order.data), order.weights()]
    return _Call(_primitive(describe_weight_gradient, g, arguments), plain, order.weight)


#: The function that makes the call, for each of the three maps.
_MAPS: dict[Callable[..., Any], Callable[[Geometry, _Order], _Call]] = {
    conv.convolve: _forward,
    conv.convolve_data_gradient: _adjoint,
    conv.convolve_weight_gradient: _weight_gradient,
}


#: For each operator: the map, and the positions of its images and its result in ``(inputs ..., result)``.
_OPERATORS: dict[str, tuple[Callable[..., Any], int, int]] = {
    "Convolution": (conv.convolve, 0, -1),
    "_backward_Convolution_data": (conv.convolve_data_gradient, -1, 0),
    "_backward_Convolution_weight": (conv.convolve_weight_gradient, 1, 0),
    "Deconvolution": (conv.convolve_data_gradient, -1, 0),
    "_backward_Deconvolution_data": (conv.convolve, 0, -1),
    "_backward_Deconvolution_weight": (conv.convolve_weight_gradient, 0, 1),
}


class SingleCalls:
    """A :class:`~d2lhybrid.internals.ops.conv.Library` that computes convolutions with oneDNN."""

    name = "oneDNN"

    def compute(self, function: Callable[..., Any], a: Any, b: Any, w: Windows, groups: int, last: bool) -> Any:
        """Compute a convolution or one of its two gradients with oneDNN, if that pays off.

        Parameters
        ----------
        function : callable
            The convolution, or the function for one of its gradients.
        a, b : array
            The arguments of the function.
        w : Windows
            The windows.
        groups : int
            Number of groups.
        last : bool
            Whether the channels are the last axis of both arrays.

        Returns
        -------
        array or None
            The result; None if NumPy should compute the result.
        """
        if a.dtype != numpy.float32 or b.dtype != numpy.float32:
            return None
        call = call_for(function, a.shape, b.shape, w, groups, last)
        if call is None:
            return None
        result = call(a, b)
        threads.claim()
        return result

    def computes(
        self, name: str, shapes: Sequence[tuple[int, ...]], result: tuple[int, ...], dtype: Any, **attributes: Any
    ) -> bool:
        """Return whether oneDNN computes a call to an operator with arrays of given shapes, because that pays off.

        Parameters
        ----------
        name : str
            Name of the operator.
        shapes : sequence of tuple of int
            Shapes of the inputs.
        result : tuple of int
            Shape of the result.
        dtype : dtype
            The element type.
        **attributes : object
            Attributes of the call.

        Returns
        -------
        bool
            Whether oneDNN computes the call.
        """
        if name not in _OPERATORS or dtype != numpy.float32:
            return False
        function, *places = _OPERATORS[name]
        data, made = ((*shapes, result)[place] for place in places)
        last = (attributes.get("layout") or "NC")[-1] == "C"
        axis, sizes = (-1, slice(1, -1)) if last else (1, slice(2, None))
        groups, kernel = attributes.get("num_group", 1), tuple(attributes["kernel"])
        positions, window = data[0] * math.prod(made[sizes]), math.prod(kernel)
        return suits(function, positions, window, data[axis], made[axis], groups) and is_available()


@functools.lru_cache(maxsize=256)
def call_for(
    function: Callable[..., Any],
    first: tuple[int, ...],
    second: tuple[int, ...],
    w: Windows,
    groups: int,
    last: bool,
    least: float = LEAST,
) -> _Call | None:
    """Return a callable that computes a convolution, or one of its gradients, with oneDNN for two given shapes.

    Parameters
    ----------
    function : callable
        The convolution, or the function for one of its gradients.
    first, second : tuple of int
        The shapes of the two arrays.
    w : Windows
        The windows.
    groups : int
        Number of groups.
    last : bool
        Whether the channels are the last axis of both arrays.
    least : float
        The shortest run time in NumPy, in nanoseconds, for which oneDNN pays off.

    Returns
    -------
    callable or None
        The callable, which takes the two arrays; None if NumPy should compute the result.
    """
    g = _geometry(function, first, second, w, groups, last)
    positions, window = g.batch * math.prod(g.output), math.prod(g.kernel)
    if not suits(function, positions, window, g.channels, g.filters, groups, least) or not is_available():
        return None
    try:
        return _MAPS[function](g, _Order(g, last))
    except Unsupported:
        return None


def suits(
    function: Callable[..., Any],
    positions: int,
    window: int,
    channels: int,
    filters: int,
    groups: int,
    least: float = LEAST,
) -> bool:
    """Return whether a call to oneDNN pays off for a convolution or one of its gradients.

    Parameters
    ----------
    function : callable
        The convolution, or the function for one of its gradients.
    positions : int
        The number of windows of all images.
    window : int
        The number of elements of a window in each channel.
    channels, filters, groups : int
        The numbers of channels, filters, and groups.
    least : float
        The shortest run time in NumPy, in nanoseconds, for which oneDNN pays off.

    Returns
    -------
    bool
        Whether a call pays off.

    Examples
    --------
    >>> suits(conv.convolve, 8 * 28 * 28, 9, 64, 64, 1), suits(conv.convolve, 28 * 28, 25, 1, 6, 1)
    (True, False)
    """
    if least and function is conv.convolve_data_gradient and channels // groups < FEW_CHANNELS and groups != channels:
        return False
    multiplied = positions * filters * (channels // groups) * window
    return _MULTIPLY * multiplied + _COPY * positions * channels * window >= least


def _geometry(
    function: Callable[..., Any], first: tuple[int, ...], second: tuple[int, ...], w: Windows, groups: int, last: bool
) -> Geometry:
    """Return the sizes of a convolution from the shapes of a map's arguments."""
    axis = -1 if last else 1
    sizes = tuple(n - 2 * p for n, p in zip(w.padded, w.pad, strict=True))
    if function is conv.convolve:
        channels, filters = first[axis], second[0]
    else:
        filters = first[axis]
        channels = second[axis] * (groups if function is conv.convolve_data_gradient else 1)
    return Geometry(first[0], channels, filters, groups, sizes, w.output, w.kernel, w.stride, w.dilate, w.pad)
