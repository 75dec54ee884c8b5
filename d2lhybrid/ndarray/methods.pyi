# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from collections.abc import Sequence
from typing import Any, Literal, Self, TypeAlias

import numpy

from .ndarray import NDArray

_Shape: TypeAlias = int | Sequence[int | None]
_DType: TypeAlias = str | type | numpy.dtype[Any]

__all__ = [
    "FluentMethods",
]

class FluentMethods:
    """What an array can do because there is an operator for it; what it is besides, is in :class:`NDArray`."""

    def __add__(self, other: Any) -> Self:
        """Return ``self + other``."""

    def __radd__(self, other: Any) -> Self:
        """Return ``other + self``."""

    def __iadd__(self, other: Any) -> Self:
        """Return ``self += other``."""

    def __sub__(self, other: Any) -> Self:
        """Return ``self - other``."""

    def __rsub__(self, other: Any) -> Self:
        """Return ``other - self``."""

    def __isub__(self, other: Any) -> Self:
        """Return ``self -= other``."""

    def __mul__(self, other: Any) -> Self:
        """Return ``self * other``."""

    def __rmul__(self, other: Any) -> Self:
        """Return ``other * self``."""

    def __imul__(self, other: Any) -> Self:
        """Return ``self *= other``."""

    def __truediv__(self, other: Any) -> Self:
        """Return ``self / other``."""

    def __rtruediv__(self, other: Any) -> Self:
        """Return ``other / self``."""

    def __itruediv__(self, other: Any) -> Self:
        """Return ``self /= other``."""

    def __mod__(self, other: Any) -> Self:
        """Return ``self % other``."""

    def __rmod__(self, other: Any) -> Self:
        """Return ``other % self``."""

    def __imod__(self, other: Any) -> Self:
        """Return ``self %= other``."""

    def __pow__(self, other: Any) -> Self:
        """Return ``self ** other``."""

    def __rpow__(self, other: Any) -> Self:
        """Return ``other ** self``."""

    def __gt__(self, other: Any) -> Self:
        """Return ``self > other``."""

    def __ge__(self, other: Any) -> Self:
        """Return ``self >= other``."""

    def __lt__(self, other: Any) -> Self:
        """Return ``self < other``."""

    def __le__(self, other: Any) -> Self:
        """Return ``self <= other``."""

    def __eq__(self, other: Any) -> Self:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return ``self == other``."""

    def __ne__(self, other: Any) -> Self:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return ``self != other``."""

    def abs(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Absolute value."""

    def arccos(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Inverse cosine, between 0 and π."""

    def arccosh(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Inverse hyperbolic cosine."""

    def arcsin(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Inverse sine, between -π/2 and π/2."""

    def arcsinh(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Inverse hyperbolic sine."""

    def arctan(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Inverse tangent, between -π/2 and π/2."""

    def arctanh(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Inverse hyperbolic tangent."""

    def argmax(
        self,
        axis: int | None = None,
        keepdims: bool = False,
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Position of the greatest element along an axis, in the dtype of the input."""

    def argmax_channel(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Position of the greatest element along axis 1, in the dtype of the input."""

    def argmin(
        self,
        axis: int | None = None,
        keepdims: bool = False,
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Position of the smallest element along an axis, in the dtype of the input."""

    def argsort(
        self,
        axis: int | None = -1,
        is_ascend: bool = True,
        dtype: _DType = "float32",
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Indices that put the elements in order along an axis."""

    def broadcast_axes(
        self, axis: _Shape = (), size: _Shape = (), out: NDArray | list[NDArray] | None = None, name: str | None = None
    ) -> NDArray:
        """Stretch some axes of size 1, each to its own size."""

    def broadcast_like(self, other: Any, **kwargs: Any) -> Self:
        """Stretch this to the shape of another array, which may have more axes, as in MXNet."""

    def cbrt(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Cube root."""

    def ceil(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Least integer that is not below x."""

    def clip(
        self, a_min: float, a_max: float, out: NDArray | list[NDArray] | None = None, name: str | None = None
    ) -> NDArray:
        """Clamp values to the interval from ``a_min`` to ``a_max``."""

    def cos(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Cosine."""

    def cosh(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Hyperbolic cosine."""

    def degrees(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Radians to degrees."""

    def depth_to_space(
        self, block_size: int, out: NDArray | list[NDArray] | None = None, name: str | None = None
    ) -> NDArray:
        """Spread groups of ``block_size**2`` channels over squares of pixels."""

    def diag(self, k: int = 0, **kwargs: Any) -> Self:
        """Call ``nd.diag`` with this as its first argument."""

    def exp(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Exponential, e to the power x."""

    def expm1(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """``exp(x) - 1``, exact near 0."""

    def fix(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Integer part of x."""

    def flip(self, axis: _Shape, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Reverse the order of the elements along the axes ``axis``."""

    def floor(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Greatest integer not above x."""

    def log(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Natural logarithm."""

    def log10(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Logarithm to base 10."""

    def log1p(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """``log(1 + x)``, exact near 0."""

    def log2(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Logarithm to base 2."""

    def log_softmax(
        self,
        axis: int = -1,
        temperature: float | None = None,
        dtype: _DType | None = None,
        use_length: bool | None = False,
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Logarithm of the softmax along an axis, computed without overflow."""

    def max(
        self,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Greatest element over the given axes."""

    def mean(
        self,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Mean of the elements over the given axes."""

    def min(
        self,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Smallest element over the given axes."""

    def nanprod(
        self,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Product of the elements over the given axes, NaN counting as 1."""

    def nansum(
        self,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Sum of the elements over the given axes, NaN counting as 0."""

    def norm(
        self,
        ord: int = 2,
        axis: _Shape | None = None,
        out_dtype: _DType | None = None,
        keepdims: bool = False,
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Norm of the vectors along the given axes: ``ord=2`` the Euclidean one, ``ord=1`` the sum of moduli."""

    def one_hot(
        self,
        depth: int,
        on_value: float = 1.0,
        off_value: float = 0.0,
        dtype: _DType = "float32",
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Vectors with ``on_value`` at the index, ``off_value`` elsewhere; an index out of range hits nothing."""

    def ones_like(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Ones in the shape and dtype of an array."""

    def pad(
        self,
        mode: Literal["constant", "edge", "reflect"],
        pad_width: _Shape,
        constant_value: float = 0.0,
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Extend the spatial axes of an image-like array (4-D or 5-D)."""

    def pick(
        self,
        index: NDArray,
        axis: int | None = -1,
        keepdims: bool = False,
        mode: Literal["clip", "wrap"] = "clip",
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """One element along an axis for every place of the others: ``data[i, index[i]]`` for matrices."""

    def prod(
        self,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Product of the elements over the given axes."""

    def radians(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Degrees to radians."""

    def rcbrt(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Reciprocal cube root."""

    def reciprocal(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """``1 / x``."""

    def relu(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Rectified linear unit, ``max(x, 0)``."""

    def repeat(
        self, repeats: int, axis: int | None = None, out: NDArray | list[NDArray] | None = None, name: str | None = None
    ) -> NDArray:
        """Repeat each element ``repeats`` times along an axis; without ``axis``, flatten first."""

    def reshape_like(
        self,
        rhs: NDArray,
        lhs_begin: int | None = None,
        lhs_end: int | None = None,
        rhs_begin: int | None = None,
        rhs_end: int | None = None,
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Give ``lhs`` the shape of ``rhs``, or replace some of its sizes by some of ``rhs``'s."""

    def rint(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Nearest integer, halves down: ``rint(0.5)`` is 0 and ``rint(-0.5)`` is -1."""

    def round(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Nearest integer, halves away from zero: ``round(-0.5)`` is -1."""

    def rsqrt(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Reciprocal square root, ``1 / √x``."""

    def shape_array(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """The shape as a one-dimensional int64 array."""

    def sigmoid(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Logistic function, ``1 / (1 + exp(-x))``."""

    def sign(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Sign: -1, 0 or 1."""

    def sin(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Sine."""

    def sinh(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Hyperbolic sine."""

    def size_array(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """The number of elements as an int64 array of shape (1,)."""

    def slice(
        self,
        begin: _Shape,
        end: _Shape,
        step: _Shape | None = (),
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Take a part of an array, as ``data[begin[0]:end[0]:step[0], ...]`` does."""

    def slice_axis(
        self,
        axis: int,
        begin: int,
        end: int | None,
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Take the elements from ``begin`` to ``end`` along one axis; None means to the last."""

    def slice_like(
        self,
        shape_like: NDArray,
        axes: _Shape = (),
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Take the first elements along the axes ``axes`` (all by default), as many as ``shape_like`` has."""

    def softmax(
        self,
        length: NDArray | None = None,
        axis: int = -1,
        temperature: float | None = None,
        dtype: _DType | None = None,
        use_length: bool | None = False,
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Softmax ``exp(x) / Σ exp(x)`` along an axis."""

    def softmin(
        self,
        axis: int = -1,
        temperature: float | None = None,
        dtype: _DType | None = None,
        use_length: bool | None = False,
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Softmax of the negative data."""

    def sort(
        self,
        axis: int | None = -1,
        is_ascend: bool = True,
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Elements in order along an axis, or of the flattened array."""

    def space_to_depth(
        self, block_size: int, out: NDArray | list[NDArray] | None = None, name: str | None = None
    ) -> NDArray:
        """Collect squares of ``block_size**2`` pixels into channels."""

    def split(
        self,
        num_outputs: int,
        axis: int = 1,
        squeeze_axis: bool = False,
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> list[NDArray] | Any:
        """Cut an array into ``num_outputs`` equal pieces."""

    def split_v2(self, indices_or_sections: Any, axis: int = 0, squeeze_axis: bool = False) -> Any:
        """Split into equal sections, or at the given indices."""

    def sqrt(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Square root."""

    def square(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """``x²``."""

    def sum(
        self,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Sum of the elements over the given axes."""

    def swapaxes(
        self, dim1: int = 0, dim2: int = 0, out: NDArray | list[NDArray] | None = None, name: str | None = None
    ) -> NDArray:
        """Exchange two axes."""

    def take(
        self,
        indices: NDArray,
        axis: int = 0,
        mode: Literal["clip", "raise", "wrap"] = "clip",
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Slices of ``a`` along an axis, in the order of the indices."""

    def tan(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Tangent."""

    def tanh(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Hyperbolic tangent."""

    def tile(self, reps: _Shape, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Repeat the whole array ``reps[i]`` times along axis i; not 0 times, but with NumPy's shapes."""

    def topk(
        self,
        axis: int | None = -1,
        k: int = 1,
        ret_typ: Literal["both", "indices", "mask", "value"] = "indices",
        is_ascend: bool = False,
        dtype: _DType = "float32",
        out: NDArray | list[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray | Any:
        """The ``k`` greatest elements along an axis, in order: indices, values, both, or a mask of them."""

    def transpose(
        self, axes: _Shape = (), out: NDArray | list[NDArray] | None = None, name: str | None = None
    ) -> NDArray:
        """Permute the axes; without ``axes``, reverse their order."""

    def trunc(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Integer part of x."""

    def zeros_like(self, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
        """Zeros in the shape and dtype of an array."""
