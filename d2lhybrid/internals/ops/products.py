"""Dense layers, convolutions, and their gradients, expressed as sums of the same form.

All of these operators compute ``c[m, n] = sum over k of a[m, k] * b[k, n]``, and differ in the addresses of the
elements. Each of the three indices runs over one or several axes (a convolution sums over channels and the positions in
its window). An address is a linear function of the positions along these axes. A convolution also has *windows*:
coordinates that depend on the position in the image and the position in the window, and that may be in the padding.

Therefore, one kernel can compute all of these operators, and im2col, padding, and the flipped weights of a gradient are
addresses, not copies.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from . import batch_last, conv, direct_convolution, matrix, nn, numpy_matrix, unit_batch
from .batch_last import hw

if TYPE_CHECKING:
    from ..core.graph import TensorType

__all__ = ["Operand", "Product", "Window", "contiguous"]


class Window(NamedTuple):
    """A coordinate ``(n · outer + k · inner + shift) / divide``; valid if it is an integer in ``range(limit)``.

    Attributes
    ----------
    outer, inner : tuple of int
        The factors by which the positions along the axes of n and of k are multiplied.
    shift : int
        The constant term.
    limit : int
        The size of the axis.
    stride : int
        The stride of the axis's elements.
    divide : int
        The stride of the convolution whose gradient this product computes; 1 otherwise.
    """

    outer: tuple[int, ...]
    inner: tuple[int, ...]
    shift: int
    limit: int
    stride: int
    divide: int = 1


class Operand(NamedTuple):
    """The memory layout of a factor.

    Attributes
    ----------
    input : int
        The index of the factor among the operator's inputs.
    outer : tuple of int
        The strides along the axes of m for the first factor, or n for the second factor.
    inner : tuple of int
        The strides along the axes of k.
    batch : int
        The stride from one product to the next.
    windows : tuple of Window
        The coordinates that may be in the padding, where elements are zero.
    """

    input: int
    outer: tuple[int, ...]
    inner: tuple[int, ...]
    batch: int = 0
    windows: tuple[Window, ...] = ()


class Product(NamedTuple):
    """A product, or a batch of products.

    Attributes
    ----------
    m, n, k : tuple of int
        The sizes of the axes.
    a, b : Operand
        The memory layouts of the two factors.
    c_m, c_n : tuple of int
        The strides of the result along the axes of m and n.
    dtype : numpy.dtype
        The element type of the factors and the result.
    batch, c_batch : int
        The number of products, and the stride of their results.
    """

    m: tuple[int, ...]
    n: tuple[int, ...]
    k: tuple[int, ...]
    a: Operand
    b: Operand
    c_m: tuple[int, ...]
    c_n: tuple[int, ...]
    dtype: numpy.dtype
    batch: int = 1
    c_batch: int = 0

    @property
    def sizes(self) -> tuple[int, int, int]:
        """The sizes of m, n, and k."""
        return math.prod(self.m), math.prod(self.n), math.prod(self.k)

    @property
    def flops(self) -> int:
        """The number of arithmetic operations."""
        return 2 * self.batch * math.prod(self.sizes)

    @property
    def is_matrix_product(self) -> bool:
        """Whether the product is a matrix product in a memory layout that BLAS accepts."""
        m, n, _ = self.sizes
        plain = self.batch == 1 and not self.b.windows and len(self.m) == len(self.n) == len(self.k) == 1
        in_rows = plain and (self.c_m == (n,) or m == 1) and (self.c_n == (1,) or n == 1)
        return in_rows and all(1 in (*o.outer, *o.inner) for o in (self.a, self.b))


def contiguous(sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the strides of a contiguous array.

    Examples
    --------
    >>> contiguous((2, 3, 4))
    (12, 4, 1)
    """
    return tuple(math.prod(sizes[i + 1 :]) for i in range(len(sizes)))


def _matrices(result: TensorType, a: Operand, b: Operand, m: int, n: int, k: int, batch: int = 1) -> Product:
    return Product((m,), (n,), (k,), a, b, (n,), (1,), result.dtype, batch, m * n)


@nn.fully_connected.product
def _(
    result: TensorType, data: TensorType, weight: TensorType, *bias: TensorType, no_bias: bool, **_: Any
) -> Product | None:
    if bias and not no_bias:
        return None  # a pass (split_bias) has separated the bias
    units, features = weight.shape
    rows = result.size // units if units else 0
    return _matrices(result, Operand(0, (features,), (1,)), Operand(1, (features,), (1,)), rows, units, features)


@unit_batch.dense.product
def _(result: TensorType, data: TensorType, weight: TensorType) -> Product:
    units, features = weight.shape
    return _matrices(result, Operand(1, (features,), (1,)), Operand(0, (1,), (1,)), units, 1, features)


@batch_last.dense.product
def _(result: TensorType, data: TensorType, weight: TensorType) -> Product:
    units, features = weight.shape
    n = data.shape[-1]
    return _matrices(result, Operand(1, (features,), (1,)), Operand(0, (1,), (n,)), units, n, features)


@batch_last.dense_weight_gradient.product
def _(result: TensorType, dy: TensorType, data: TensorType) -> Product:
    units, n = dy.shape
    features = data.size // n if n else 0
    return _matrices(result, Operand(0, (n,), (1,)), Operand(1, (n,), (1,)), units, features, n)


@unit_batch.dense_weight_gradient.product
def _(result: TensorType, dy: TensorType, data: TensorType) -> Product:
    units, features = result.shape
    return _matrices(result, Operand(0, (1,), (1,)), Operand(1, (1,), (1,)), units, features, 1)


@matrix.dot.product
def _(
    result: TensorType, lhs: TensorType, rhs: TensorType, *, transpose_a: bool, transpose_b: bool, **_: Any
) -> Product | None:
    if any(len(t.shape) not in (1, 2) for t in (lhs, rhs)) or result.shape == ():
        return None
    m, a = _side(lhs.shape, not transpose_a)
    n, b = _side(rhs.shape, transpose_b)
    k = lhs.size // m
    return _matrices(result, Operand(0, *a), Operand(1, *b), m, n, k)


def _side(shape: tuple[int, ...], summed_last: bool) -> tuple[int, tuple[tuple[int], tuple[int]]]:
    """Return the length of the remaining axis of a factor, and the strides of this axis and the summed axis."""
    if len(shape) == 1:
        return 1, ((1,), (1,))
    rows, columns = shape
    return (rows, ((columns,), (1,))) if summed_last else (columns, ((1,), (columns,)))


@matrix.batch_dot.product
def _(
    result: TensorType, lhs: TensorType, rhs: TensorType, *, transpose_a: bool, transpose_b: bool, **_: Any
) -> Product | None:
    if any(len(t.shape) != 3 for t in (lhs, rhs)):
        return None
    batch, m, n = result.shape
    k = lhs.shape[1 if transpose_a else 2]
    a = Operand(0, (1,), (m,), m * k) if transpose_a else Operand(0, (k,), (1,), m * k)
    b = Operand(1, (k,), (1,), n * k) if transpose_b else Operand(1, (1,), (n,), n * k)
    return _matrices(result, a, b, m, n, k, batch)


@numpy_matrix.matmul.product
def _(result: TensorType, a: TensorType, b: TensorType) -> Product | None:
    """Return the product of two matrices, of a stack of matrices and a matrix, or of two stacks of equal length."""
    first, second = a.shape, b.shape
    if len(first) < 2 or len(second) < 2 or len(second) > len(first):
        return None
    if len(second) > 2 and second[:-2] != first[:-2]:
        return None
    (m, k), n = first[-2:], second[-1]
    batch = math.prod(first[:-2])
    if len(second) == 2:
        m, batch = m * batch, 1
    return _matrices(result, Operand(0, (k,), (1,), m * k), Operand(1, (1,), (n,), n * k), m, n, k, batch)


class _Image(NamedTuple):
    """The sizes of a convolution with the batch last: kernel, strides, padding, data, and result."""

    kernel: tuple[int, int]
    stride: tuple[int, int]
    pad: tuple[int, int]
    data: tuple[int, ...]
    result: tuple[int, ...]


def _image(window: Mapping[str, Any], data: tuple[int, ...], result: tuple[int, ...]) -> _Image:
    return _Image(tuple(window["kernel"]), hw(window["stride"], 1), hw(window["pad"], 0), data, result)


@direct_convolution.convolution.product
def _(result: TensorType, data: TensorType, *others: TensorType, **window: Any) -> Product:
    """Return the product of a convolution: k is a window position and a channel, and n is a pixel and an image."""
    (kh, kw), (sh, sw), (ph, pw), (c, h, w, images), (o, oh, ow, _) = _image(window, data.shape, result.shape)
    windows = (
        Window((sh, 0, 0), (1, 0, 0), -ph, h, w * images),
        Window((0, sw, 0), (0, 0, 1), -pw, w, images),
    )
    k = (kh, c, kw)
    return Product(
        (o,), (oh, ow, images), k, Operand(1, (kh * c * kw,), contiguous(k)),
        Operand(0, (0, 0, 1), (0, h * w * images, 0), 0, windows),
        (oh * ow * images,), (ow * images, images, 1), result.dtype,
    )  # fmt: skip


@batch_last.convolution_data_gradient.product
def _(result: TensorType, dy: TensorType, *others: TensorType, **window: Any) -> Product:
    """Return the product of the data gradient, in which each pixel is a sum over the windows that contain it."""
    (kh, kw), (sh, sw), (ph, pw), (c, h, w, images), (o, oh, ow, _) = _image(window, result.shape, dy.shape)
    windows = (
        Window((1, 0, 0), (0, -1, 0), ph, oh, ow * images, sh),
        Window((0, 1, 0), (0, 0, -1), pw, ow, images, sw),
    )
    return Product(
        (c,), (h, w, images), (o, kh, kw), Operand(1, (kw,), (kh * c * kw, c * kw, 1)),
        Operand(0, (0, 0, 1), (oh * ow * images, 0, 0), 0, windows),
        (h * w * images,), (w * images, images, 1), result.dtype,
    )  # fmt: skip


@direct_convolution.weight_gradient.product
def _(result: TensorType, dy: TensorType, data: TensorType, *others: TensorType, **window: Any) -> Product:
    """Return the product of the weight gradient, a sum over all pixels of the result and all images."""
    (kh, kw), (sh, sw), (ph, pw), (c, h, w, images), (o, oh, ow, _) = _image(window, data.shape, dy.shape)
    windows = (
        Window((1, 0, 0), (sh, 0, 0), -ph, h, w * images),
        Window((0, 0, 1), (0, sw, 0), -pw, w, images),
    )
    n = (kh, c, kw)
    return Product(
        (o,), n, (oh, ow, images), Operand(0, (oh * ow * images,), (ow * images, images, 1)),
        Operand(1, (0, h * w * images, 0), (0, 0, 1), 0, windows),
        (kh * c * kw,), contiguous(n), result.dtype,
    )  # fmt: skip


@conv.convolution.product
def _(result: TensorType, *inputs: TensorType, **p: Any) -> Product | None:
    """Return the product of a convolution with the batch first and any number of axes, groups, and dilations."""
    data, weight, rank = inputs[0].shape, inputs[1].shape, len(inputs[0].shape) - 2
    if (p["layout"] or "NC" + "DHW"[3 - rank :]) != "NC" + "DHW"[3 - rank :]:
        return None
    if len(inputs) > 2 and not p["no_bias"]:
        return None
    groups = p["num_group"]
    strides, dilate = tuple(p["stride"] or (1,) * rank), tuple(p["dilate"] or (1,) * rank)
    pad, kernel = tuple(p["pad"] or (0,) * rank), weight[2:]
    places = contiguous(data[2:])
    windows = tuple(
        Window((0, *_unit(rank, i, strides[i])), (0, *_unit(rank, i, dilate[i])), -pad[i], data[2 + i], places[i])
        for i in range(rank)
    )
    outputs, channels = weight[0] // groups, weight[1]
    pixels, image = math.prod(result.shape[2:]), math.prod(data[2:])
    k = (channels, *kernel)
    zeros = (0,) * rank
    return Product(
        (outputs,), (data[0], *result.shape[2:]), k,
        Operand(1, (math.prod(k),), contiguous(k), outputs * math.prod(k)),
        Operand(0, (data[1] * image, *zeros), (image, *zeros), channels * image, windows),
        (pixels,), (weight[0] * pixels, *contiguous(result.shape[2:])), result.dtype, groups, outputs * pixels,
    )  # fmt: skip


def _unit(rank: int, axis: int, value: int) -> tuple[int, ...]:
    return tuple(value if i == axis else 0 for i in range(rank))
