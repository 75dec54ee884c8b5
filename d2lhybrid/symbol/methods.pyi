# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from collections.abc import Sequence
from typing import Any, Literal, Self, TypeAlias

import numpy

from .symbol import Symbol

_Shape: TypeAlias = int | Sequence[int | None]
_DType: TypeAlias = str | type | numpy.dtype[Any]

__all__ = [
    "FluentMethods",
]

class FluentMethods:
    """What a symbol can do because there is an operator for it; what it is besides, is in :class:`Symbol`."""

    def __add__(self, other: Any) -> Self:
        """Return ``self + other``."""

    def __radd__(self, other: Any) -> Self:
        """Return ``other + self``."""

    def __sub__(self, other: Any) -> Self:
        """Return ``self - other``."""

    def __rsub__(self, other: Any) -> Self:
        """Return ``other - self``."""

    def __mul__(self, other: Any) -> Self:
        """Return ``self * other``."""

    def __rmul__(self, other: Any) -> Self:
        """Return ``other * self``."""

    def __truediv__(self, other: Any) -> Self:
        """Return ``self / other``."""

    def __rtruediv__(self, other: Any) -> Self:
        """Return ``other / self``."""

    def __mod__(self, other: Any) -> Self:
        """Return ``self % other``."""

    def __rmod__(self, other: Any) -> Self:
        """Return ``other % self``."""

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

    def abs(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Absolute value."""

    def arccos(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Inverse cosine, between 0 and π."""

    def arccosh(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Inverse hyperbolic cosine."""

    def arcsin(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Inverse sine, between -π/2 and π/2."""

    def arcsinh(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Inverse hyperbolic sine."""

    def arctan(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Inverse tangent, between -π/2 and π/2."""

    def arctanh(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Inverse hyperbolic tangent."""

    def argmax(
        self,
        axis: int | None = None,
        keepdims: bool = False,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Position of the greatest element along an axis, in the dtype of the input."""

    def argmax_channel(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Position of the greatest element along axis 1, in the dtype of the input."""

    def argmin(
        self,
        axis: int | None = None,
        keepdims: bool = False,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Position of the smallest element along an axis, in the dtype of the input."""

    def argsort(
        self,
        axis: int | None = -1,
        is_ascend: bool = True,
        dtype: _DType = "float32",
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Indices that put the elements in order along an axis."""

    def broadcast_axes(
        self,
        axis: _Shape = (),
        size: _Shape = (),
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Stretch some axes of size 1, each to its own size."""

    def broadcast_like(
        self,
        rhs: Symbol | None = None,
        lhs_axes: _Shape | None = None,
        rhs_axes: _Shape | None = None,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Stretch the axes of size 1 of the first array to the sizes of the second."""

    def broadcast_to(
        self,
        shape: _Shape = (),
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Stretch the axes of size 1 to a shape of as many axes; 0 keeps a size."""

    def cbrt(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Cube root."""

    def ceil(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Least integer that is not below x."""

    def clip(
        self,
        a_min: float,
        a_max: float,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Clamp values to the interval from ``a_min`` to ``a_max``."""

    def cos(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Cosine."""

    def cosh(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Hyperbolic cosine."""

    def degrees(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Radians to degrees."""

    def depth_to_space(
        self,
        block_size: int,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Spread groups of ``block_size**2`` channels over squares of pixels."""

    def diag(self, k: int = 0, **kwargs: Any) -> Self:
        """Call ``sym.diag`` with this as its first argument."""

    def exp(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Exponential, e to the power x."""

    def expand_dims(self, axis: int, inplace: bool = False, **kwargs: Any) -> Self:
        """Call ``sym.expand_dims`` with this as its first argument; ``inplace`` is without effect."""

    def expm1(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """``exp(x) - 1``, exact near 0."""

    def fix(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Integer part of x."""

    def flatten(self, inplace: bool = False, **kwargs: Any) -> Self:
        """Call ``sym.flatten`` with this as its first argument; ``inplace`` is without effect."""

    def flip(
        self,
        axis: _Shape,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Reverse the order of the elements along the axes ``axis``."""

    def floor(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Greatest integer not above x."""

    def log(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Natural logarithm."""

    def log10(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Logarithm to base 10."""

    def log1p(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """``log(1 + x)``, exact near 0."""

    def log2(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Logarithm to base 2."""

    def log_softmax(
        self,
        axis: int = -1,
        temperature: float | None = None,
        dtype: _DType | None = None,
        use_length: bool | None = False,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Logarithm of the softmax along an axis, computed without overflow."""

    def max(
        self,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Greatest element over the given axes."""

    def mean(
        self,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Mean of the elements over the given axes."""

    def min(
        self,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Smallest element over the given axes."""

    def nanprod(
        self,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Product of the elements over the given axes, NaN counting as 1."""

    def nansum(
        self,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Sum of the elements over the given axes, NaN counting as 0."""

    def norm(
        self,
        ord: int = 2,
        axis: _Shape | None = None,
        out_dtype: _DType | None = None,
        keepdims: bool = False,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Norm of the vectors along the given axes: ``ord=2`` the Euclidean one, ``ord=1`` the sum of moduli."""

    def one_hot(
        self,
        depth: int,
        on_value: float = 1.0,
        off_value: float = 0.0,
        dtype: _DType = "float32",
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Vectors with ``on_value`` at the index, ``off_value`` elsewhere; an index out of range hits nothing."""

    def ones_like(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Ones in the shape and dtype of an array."""

    def pad(
        self,
        mode: Literal["constant", "edge", "reflect"],
        pad_width: _Shape,
        constant_value: float = 0.0,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Extend the spatial axes of an image-like array (4-D or 5-D)."""

    def pick(
        self,
        index: Symbol | None = None,
        axis: int | None = -1,
        keepdims: bool = False,
        mode: Literal["clip", "wrap"] = "clip",
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """One element along an axis for every place of the others: ``data[i, index[i]]`` for matrices."""

    def prod(
        self,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Product of the elements over the given axes."""

    def radians(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Degrees to radians."""

    def rcbrt(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Reciprocal cube root."""

    def reciprocal(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """``1 / x``."""

    def relu(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Rectified linear unit, ``max(x, 0)``."""

    def repeat(
        self,
        repeats: int,
        axis: int | None = None,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Repeat each element ``repeats`` times along an axis; without ``axis``, flatten first."""

    def reshape(
        self,
        shape: _Shape = (),
        reverse: bool = False,
        target_shape: _Shape = (),
        keep_highest: bool = False,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Give an array a new shape, without changing the order of its elements."""

    def reshape_like(
        self,
        rhs: Symbol | None = None,
        lhs_begin: int | None = None,
        lhs_end: int | None = None,
        rhs_begin: int | None = None,
        rhs_end: int | None = None,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Give ``lhs`` the shape of ``rhs``, or replace some of its sizes by some of ``rhs``'s."""

    def rint(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Nearest integer, halves down: ``rint(0.5)`` is 0 and ``rint(-0.5)`` is -1."""

    def round(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Nearest integer, halves away from zero: ``round(-0.5)`` is -1."""

    def rsqrt(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Reciprocal square root, ``1 / √x``."""

    def shape_array(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """The shape as a one-dimensional int64 array."""

    def sigmoid(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Logistic function, ``1 / (1 + exp(-x))``."""

    def sign(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Sign: -1, 0 or 1."""

    def sin(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Sine."""

    def sinh(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Hyperbolic sine."""

    def size_array(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """The number of elements as an int64 array of shape (1,)."""

    def slice(
        self,
        begin: _Shape,
        end: _Shape,
        step: _Shape | None = (),
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Take a part of an array, as ``data[begin[0]:end[0]:step[0], ...]`` does."""

    def slice_axis(
        self,
        axis: int,
        begin: int,
        end: int | None,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Take the elements from ``begin`` to ``end`` along one axis; None means to the last."""

    def slice_like(
        self,
        shape_like: Symbol | None = None,
        axes: _Shape = (),
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Take the first elements along the axes ``axes`` (all by default), as many as ``shape_like`` has."""

    def softmax(
        self,
        length: Symbol | None = None,
        axis: int = -1,
        temperature: float | None = None,
        dtype: _DType | None = None,
        use_length: bool | None = False,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Softmax ``exp(x) / Σ exp(x)`` along an axis."""

    def softmin(
        self,
        axis: int = -1,
        temperature: float | None = None,
        dtype: _DType | None = None,
        use_length: bool | None = False,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Softmax of the negative data."""

    def sort(
        self,
        axis: int | None = -1,
        is_ascend: bool = True,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Elements in order along an axis, or of the flattened array."""

    def space_to_depth(
        self,
        block_size: int,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Collect squares of ``block_size**2`` pixels into channels."""

    def split(
        self,
        num_outputs: int,
        axis: int = 1,
        squeeze_axis: bool = False,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Cut an array into ``num_outputs`` equal pieces."""

    def split_v2(self, indices_or_sections: Any, axis: int = 0, squeeze_axis: bool = False) -> Symbol:
        """Split into equal sections, or at the given indices."""

    def sqrt(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Square root."""

    def square(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """``x²``."""

    def squeeze(self, axis: Any = None, inplace: bool = False, **kwargs: Any) -> Self:
        """Call ``sym.squeeze`` with this as its first argument; ``inplace`` is without effect."""

    def sum(
        self,
        axis: _Shape | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Sum of the elements over the given axes."""

    def swapaxes(
        self,
        dim1: int = 0,
        dim2: int = 0,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Exchange two axes."""

    def take(
        self,
        indices: Symbol | None = None,
        axis: int = 0,
        mode: Literal["clip", "raise", "wrap"] = "clip",
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Slices of ``a`` along an axis, in the order of the indices."""

    def tan(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Tangent."""

    def tanh(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Hyperbolic tangent."""

    def tile(
        self,
        reps: _Shape,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Repeat the whole array ``reps[i]`` times along axis i; not 0 times, but with NumPy's shapes."""

    def topk(
        self,
        axis: int | None = -1,
        k: int = 1,
        ret_typ: Literal["both", "indices", "mask", "value"] = "indices",
        is_ascend: bool = False,
        dtype: _DType = "float32",
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """The ``k`` greatest elements along an axis, in order: indices, values, both, or a mask of them."""

    def transpose(
        self,
        axes: _Shape = (),
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Permute the axes; without ``axes``, reverse their order."""

    def trunc(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Integer part of x."""

    def zeros_like(
        self,
        name: str | None = None,
        attr: dict[str, str] | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Symbol:
        """Zeros in the shape and dtype of an array."""
