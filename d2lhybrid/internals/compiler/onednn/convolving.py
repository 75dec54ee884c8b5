"""Convolution with the channels last: the map itself, its adjoint, and the gradient of its weights.

The three maps are linear in each argument, and the gradients of each map are the other two maps. As a forward operator,
the adjoint is the transposed convolution. The shape of data is ``(batch, *sizes, channels)``. The shape of weights is
``(filters, *kernel, channels / groups)``, in any memory order. The library needs *packed* weights: blocks that fill its
registers.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy

from ...device.address import address
from .library import Unsupported
from .ordering import Copier, channels_last, in_order
from .primitive import (
    BIAS,
    DIFF_DST,
    DIFF_SRC,
    DIFF_WEIGHTS,
    DST,
    SRC,
    SUMMAND,
    WEIGHTS,
    Arguments,
    Descriptor,
    Primitive,
    adding,
    any_layout,
    chosen,
    described,
    dims,
    hinting,
    make_descriptor,
    reorder,
)

__all__ = [
    "Adjoint", "Convolution", "Geometry", "WeightGradient", "describe_adjoint", "describe_forward",
    "describe_weight_gradient",
]  # fmt: skip

_TRAINING = 64
_DIRECT = 1
# dnnl_query_t: the argument whose layout is queried.
_WEIGHTS_MD, _DIFF_WEIGHTS_MD = 131, 132


class Geometry(NamedTuple):
    """The sizes of a convolution.

    Attributes
    ----------
    batch, channels, filters, groups : int
        The numbers of images, input channels, output channels, and groups.
    sizes, output : tuple of int
        The spatial sizes of an input image and of the result.
    kernel, stride, dilate, pad : tuple of int
        The sizes, strides, dilations, and paddings of the windows along each spatial axis.
    """

    batch: int
    channels: int
    filters: int
    groups: int
    sizes: tuple[int, ...]
    output: tuple[int, ...]
    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    dilate: tuple[int, ...]
    pad: tuple[int, ...]

    @property
    def data_shape(self) -> tuple[int, ...]:
        """The shape of the images."""
        return (self.batch, *self.sizes, self.channels)

    @property
    def result_shape(self) -> tuple[int, ...]:
        """The shape of the result."""
        return (self.batch, *self.output, self.filters)

    @property
    def weight_shape(self) -> tuple[int, ...]:
        """The shape of the weights."""
        return (self.filters, *self.kernel, self.channels // self.groups)

    def weight_dims(self) -> tuple[int, ...]:
        """Return the sizes of the weights in oneDNN's order: groups if there are several, filters, channels, kernel."""
        filters, channels = self.filters // self.groups, self.channels // self.groups
        return (*([self.groups] if self.groups > 1 else []), filters, channels, *self.kernel)

    def weight_strides(self, strides: Sequence[int]) -> tuple[int, ...]:
        """Return the strides of weights ``(filters, *kernel, channels / groups)`` in oneDNN's order of axes.

        Parameters
        ----------
        strides : sequence of int
            Strides of the weights.

        Returns
        -------
        tuple of int
            The strides, in oneDNN's order of axes.
        """
        group = [strides[0] * (self.filters // self.groups)] if self.groups > 1 else []
        return (*group, strides[0], strides[-1], *strides[1:-1])

    def windows(self) -> tuple[Any, Any, Any, Any]:
        """Return four C arrays: the strides, dilations (0 for adjacent elements), and paddings before and after."""
        return dims(self.stride), dims([d - 1 for d in self.dilate]), dims(self.pad), dims(self.pad)


class _Map:
    """The base class of the three maps, which work on contiguous arrays and packed weights."""

    def __init__(self, geometry: Geometry) -> None:
        if 0 in (*geometry.data_shape, *geometry.result_shape, *geometry.kernel):
            raise Unsupported("an array has an axis of size 0")
        self.geometry = geometry

    @property
    def implementation(self) -> str:
        """The library's name for the implementation that it chose."""
        return self.primitive.implementation

    primitive: Primitive

    def packing(self, target: Descriptor) -> Copier:
        """Return the object that packs weights for this map."""
        g = self.geometry
        return Copier(g.weight_shape, target, g.weight_dims(), g.weight_strides)


class Convolution(_Map):
    """The convolution of images, with an optional addition of an array to the result.

    Parameters
    ----------
    geometry : Geometry
        The sizes.
    bias : bool
        Whether a bias is added to each channel of the result.
    added : bool
        Whether an array of the result's shape is added.

    Notes
    -----
    oneDNN could also apply a ReLU, but its ReLU turns NaN into zero.
    """

    def __init__(self, geometry: Geometry, bias: bool = False, added: bool = False) -> None:
        super().__init__(geometry)
        source, target = channels_last(geometry.data_shape), channels_last(geometry.result_shape)
        vector = described((geometry.filters,), (1,)) if bias else None
        further = [(BIAS, vector)] if vector is not None else []
        further += [(SUMMAND, target)] if added else []

        def describe() -> ctypes.c_void_p:
            with adding(target if added else None) as attributes:
                return describe_forward(geometry, source, target, vector, attributes)

        def arguments_of(descriptor: ctypes.c_void_p) -> Arguments:
            return [(SRC, source), (WEIGHTS, chosen(descriptor, _WEIGHTS_MD)), (DST, target), *further]

        self.primitive: Primitive = Primitive(describe, arguments_of)
        self.pack: Copier = self.packing(self.primitive.layout(WEIGHTS))

    def run(self, data: Any, packed: Any, *others: Any, out0_given: Any = None) -> Any:
        """Return the convolution of images with packed weights.

        Parameters
        ----------
        data : array
            The images.
        packed : array
            The weights, packed by :attr:`pack`.
        *others : array
            The bias, and the array to add.
        out0_given : array, optional
            The destination of the result.

        Returns
        -------
        array
            The result.
        """
        result = numpy.empty(self.geometry.result_shape, numpy.float32) if out0_given is None else out0_given
        data, *rest = [in_order(array) for array in (data, *others)]
        self.primitive.run(address(data), address(packed), address(result), *map(address, rest))
        return result


class Adjoint(_Map):
    """The transposed convolution: the map from the gradient of the result to the gradient of the images."""

    def __init__(self, geometry: Geometry) -> None:
        super().__init__(geometry)
        source, target = channels_last(geometry.data_shape), channels_last(geometry.result_shape)

        def describe() -> ctypes.c_void_p:
            return describe_adjoint(geometry, source, target)

        def arguments_of(descriptor: ctypes.c_void_p) -> Arguments:
            return [(DIFF_DST, target), (WEIGHTS, chosen(descriptor, _WEIGHTS_MD)), (DIFF_SRC, source)]

        self.primitive: Primitive = Primitive(describe, arguments_of)
        self.pack: Copier = self.packing(self.primitive.layout(WEIGHTS))

    def run(self, gradient: Any, packed: Any, out0_given: Any = None) -> Any:
        """Return the gradient of the images, given the gradient of the result.

        Parameters
        ----------
        gradient : array
            Gradient of the result.
        packed : array
            The weights, packed by :attr:`pack`.
        out0_given : array, optional
            Destination of the result.

        Returns
        -------
        array
            The gradient.
        """
        result = numpy.empty(self.geometry.data_shape, numpy.float32) if out0_given is None else out0_given
        gradient = in_order(gradient)
        self.primitive.run(address(gradient), address(packed), address(result))
        return result


class WeightGradient(_Map):
    """The map from the result's gradient and the images to the gradient of the weights.

    Parameters
    ----------
    geometry : Geometry
        The sizes.
    turned : bool
        Whether the channels precede the kernel in the memory of the gradient, so that the gradient is contiguous after
        the transpose to the layer's shape of weights. The shape of the result is the same in both cases.
    """

    def __init__(self, geometry: Geometry, turned: bool = False) -> None:
        super().__init__(geometry)
        self._turned = turned
        source, target = channels_last(geometry.data_shape), channels_last(geometry.result_shape)

        def describe() -> ctypes.c_void_p:
            return describe_weight_gradient(geometry, source, target)

        def arguments_of(descriptor: ctypes.c_void_p) -> Arguments:
            return [(DIFF_DST, target), (SRC, source), (DIFF_WEIGHTS, chosen(descriptor, _DIFF_WEIGHTS_MD))]

        self.primitive: Primitive = Primitive(describe, arguments_of)
        weights = self.primitive.layout(DIFF_WEIGHTS)
        strides = [s // 4 for s in self._empty().strides]
        plain = described(geometry.weight_dims(), geometry.weight_strides(strides))
        self._size = weights.size // 4
        self._unpack = None if weights == plain else reorder(weights, plain)

    def run(self, gradient: Any, data: Any, out0_given: Any = None) -> Any:
        """Return the gradient of the weights, given the gradient of the result.

        Parameters
        ----------
        gradient : array
            Gradient of the result.
        data : array
            The images.
        out0_given : array, optional
            Destination of the result.

        Returns
        -------
        array
            The gradient.
        """
        if self._turned and out0_given is not None:  # the destination has another memory order
            out0_given[...] = self.run(gradient, data)
            return out0_given
        result = self._empty() if out0_given is None else out0_given
        gradient, data = in_order(gradient), in_order(data)
        if self._unpack is None:
            self.primitive.run(address(gradient), address(data), address(result))
            return result
        packed = numpy.empty(self._size, numpy.float32)
        self.primitive.run(address(gradient), address(data), address(packed))
        self._unpack.run(address(packed), address(result))
        return result

    def _empty(self) -> Any:
        filters, *kernel, channels = self.geometry.weight_shape
        if not self._turned:
            return numpy.empty(self.geometry.weight_shape, numpy.float32)
        return numpy.moveaxis(numpy.empty((filters, channels, *kernel), numpy.float32), 1, -1)


def describe_forward(
    geometry: Geometry, source: Descriptor, target: Descriptor, bias: Descriptor | None = None, attributes: Any = None
) -> ctypes.c_void_p:
    """Return the primitive descriptor of a convolution, for which oneDNN chooses the packing of the weights.

    Parameters
    ----------
    geometry : Geometry
        The sizes.
    source, target : Descriptor
        Memory layouts of the images and of the result.
    bias : Descriptor, optional
        Memory layout of the bias.
    attributes : ctypes.c_void_p, optional
        Attributes of the computation.

    Returns
    -------
    ctypes.c_void_p
        The primitive descriptor.
    """
    weights = any_layout(geometry.weight_dims())
    return make_descriptor(
        "convolution_forward", _TRAINING, _DIRECT, source.handle, weights.handle,
        None if bias is None else bias.handle, target.handle, *geometry.windows(), attributes,
    )  # fmt: skip


def describe_adjoint(geometry: Geometry, source: Descriptor, target: Descriptor) -> ctypes.c_void_p:
    """Return the primitive descriptor of the gradient of a convolution with respect to the images.

    Parameters
    ----------
    geometry : Geometry
        The sizes.
    source, target : Descriptor
        Memory layouts of the images and of the result.

    Returns
    -------
    ctypes.c_void_p
        The primitive descriptor.
    """
    weights = any_layout(geometry.weight_dims())
    with hinting(describe_forward(geometry, source, target)) as hint:
        return make_descriptor(
            "convolution_backward_data", _DIRECT, source.handle, weights.handle, target.handle, *geometry.windows(),
            hint, None,
        )  # fmt: skip


def describe_weight_gradient(geometry: Geometry, source: Descriptor, target: Descriptor) -> ctypes.c_void_p:
    """Return the primitive descriptor of the gradient of a convolution with respect to the weights.

    Parameters
    ----------
    geometry : Geometry
        The sizes.
    source, target : Descriptor
        Memory layouts of the images and of the result.

    Returns
    -------
    ctypes.c_void_p
        The primitive descriptor.
    """
    weights = any_layout(geometry.weight_dims())
    with hinting(describe_forward(geometry, source, target)) as hint:
        return make_descriptor(
            "convolution_backward_weights", _DIRECT, source.handle, weights.handle, None, target.handle,
            *geometry.windows(), hint, None,
        )  # fmt: skip
