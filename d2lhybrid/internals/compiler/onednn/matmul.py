"""Matrix products by oneDNN: dense layers with packed weights, and plain products."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy

from ...device.address import address
from .library import Unsupported
from .ordering import Copier, in_order
from .primitive import (
    BIAS,
    DST,
    SRC,
    SUMMAND,
    WEIGHTS,
    Arguments,
    Primitive,
    adding,
    any_layout,
    chosen,
    described,
    make_descriptor,
)

__all__ = ["Dense", "Dot", "Product", "is_large"]

_WEIGHTS_MD = 131
#: The smallest number of multiplications, and of columns, for which oneDNN is faster than NumPy's library (measured).
MIN_PRODUCT, MIN_COLUMNS = 1 << 20, 16


def is_large(rows: int, inner: int, columns: int) -> bool:
    """Return whether a matrix product is large enough for oneDNN to pay off.

    Parameters
    ----------
    rows, inner, columns : int
        Sizes of the product.

    Returns
    -------
    bool
        Whether oneDNN pays off.

    Examples
    --------
    >>> is_large(2, 4096, 4096), is_large(1, 4096, 4096)  # NumPy's library is fast for products of a vector
    (True, False)
    """
    return rows * inner * columns >= MIN_PRODUCT and columns >= MIN_COLUMNS and min(rows, inner) > 1


class Dense:
    """The map ``rows · weightsᵀ + bias``, with an optional array of the result's shape to add.

    Parameters
    ----------
    shape : tuple of int
        The shape of the result. The last axis contains the units, and all other axes together are the rows.
    features : int
        The number of features in a row of the data.
    bias : bool
        Whether a bias is added to each column.
    added : bool
        Whether an array is added.
    packed : bool
        Whether the weights are packed by :attr:`pack` beforehand.

    Raises
    ------
    Unsupported
        If an axis has size 0, or if oneDNN doesn't support the computation.
    """

    shape: tuple[int, ...]

    def __init__(
        self, shape: tuple[int, ...], features: int, bias: bool = False, added: bool = False, packed: bool = True
    ) -> None:
        if 0 in (*shape, features):
            raise Unsupported("an array has an axis of size 0")
        self.shape, units = shape, shape[-1]
        rows = numpy.prod(shape[:-1], dtype=int).item()
        source, result = described((rows, features), (features, 1)), described((rows, units), (units, 1))
        vector = described((1, units), (units, 1)) if bias else None
        sizes = features, units
        weights = any_layout(sizes) if packed else described(sizes, (1, features))
        further = [(BIAS, vector)] if vector is not None else []
        further += [(SUMMAND, result)] if added else []

        def describe() -> ctypes.c_void_p:
            with adding(result if added else None) as attributes:
                return make_descriptor(
                    "matmul", source.handle, weights.handle, None if vector is None else vector.handle, result.handle,
                    attributes,
                )  # fmt: skip

        def arguments_of(descriptor: ctypes.c_void_p) -> Arguments:
            return [(SRC, source), (WEIGHTS, chosen(descriptor, _WEIGHTS_MD)), (DST, result), *further]

        self.primitive: Primitive = Primitive(describe, arguments_of)
        layout = self.primitive.layout(WEIGHTS)
        self.pack: Copier | None = (
            Copier((units, features), layout, sizes, lambda strides: (strides[1], strides[0])) if packed else None
        )
        self.implementation: str = self.primitive.implementation

    def run(self, data: Any, weights: Any, *others: Any, out0_given: Any = None) -> Any:
        """Return the product of data and weights, plus the bias and an array if there are any.

        Parameters
        ----------
        data : array
            The data.
        weights : array
            The weights, packed by :attr:`pack` if ``packed`` is True.
        *others : array
            The bias, and the array to add.
        out0_given : array, optional
            Destination of the result.

        Returns
        -------
        array
            The result.
        """
        result = numpy.empty(self.shape, numpy.float32) if out0_given is None else out0_given
        data, weights, *rest = [in_order(array) for array in (data, weights, *others)]
        self.primitive.run(address(data), address(weights), address(result), *map(address, rest))
        return result


class Product:
    """The product of two matrices, each possibly transposed.

    Parameters
    ----------
    rows, inner, columns : int
        The sizes of the product: the factors are ``(rows, inner)`` and ``(inner, columns)``.
    first_turned, second_turned : bool
        Whether a factor is in the memory order of its transpose.

    Raises
    ------
    Unsupported
        If a size is 0, or if oneDNN doesn't support the computation.
    """

    shape: tuple[int, int]
    turned: tuple[bool, bool]

    def __init__(self, rows: int, inner: int, columns: int, first_turned: bool, second_turned: bool) -> None:
        if 0 in (rows, inner, columns):
            raise Unsupported("an array has an axis of size 0")
        first = described((rows, inner), (1, rows) if first_turned else (inner, 1))
        second = described((inner, columns), (1, inner) if second_turned else (columns, 1))
        result = described((rows, columns), (columns, 1))
        self.primitive: Primitive = Primitive(
            lambda: make_descriptor("matmul", first.handle, second.handle, None, result.handle, None),
            lambda _: [(SRC, first), (WEIGHTS, second), (DST, result)],
        )
        self.shape, self.turned = (rows, columns), (first_turned, second_turned)
        self.implementation: str = self.primitive.implementation

    def run(self, first: Any, second: Any, out0_given: Any = None) -> Any:
        """Return the product of two matrices.

        If the memory order of a factor isn't the declared order, NumPy computes the product.

        Parameters
        ----------
        first, second : array
            The factors.
        out0_given : array, optional
            Destination of the result.

        Returns
        -------
        array
            The product.
        """
        result = numpy.empty(self.shape, numpy.float32) if out0_given is None else out0_given
        if first.flags.c_contiguous and second.flags.c_contiguous:
            self.primitive.run(address(first), address(second), address(result))
            return result
        factors = [a.T if turned else a for a, turned in zip((first, second), self.turned, strict=True)]
        return numpy.dot(*factors, out=result)


class Dot:
    """A function like ``numpy.dot`` for single-precision matrices, which uses oneDNN for large matrices.

    Examples
    --------
    >>> import numpy
    >>> Dot()(numpy.ones((2, 3), numpy.float32), numpy.ones((4, 3), numpy.float32).T).shape
    (2, 4)
    """

    def __init__(self) -> None:
        self._made: dict[tuple[int, int, int, bool, bool], Product] = {}

    def __call__(self, first: Any, second: Any) -> Any:
        """Return the product of two matrices, each possibly a transposed view."""
        (rows, inner), columns = first.shape, second.shape[1]
        if not is_large(rows, inner, columns):
            return numpy.dot(first, second)
        first_turned, second_turned = not first.flags.c_contiguous, not second.flags.c_contiguous
        key = rows, inner, columns, first_turned, second_turned
        product = self._made.get(key)
        if product is None:
            product = self._made[key] = Product(*key)
        return product.run(first.T if first_turned else first, second.T if second_turned else second)
