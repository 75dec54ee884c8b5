"""A builder of ONNX graphs, with the methods that translations need.

Operators of ONNX are methods of the builder: ``g.Add(x, 1)`` creates a node and returns its result.
Python numbers become constants with the element type of the other inputs, lists of integers become
int64 vectors (ONNX's form of shapes and axes), and arrays become constants with their own type.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy

from ..internals.core.node import Node
from .translations import Untranslatable
from .values import OnnxNode, PartialShape, Value

__all__ = ["FIXED_SHAPES", "OPSET", "Builder"]

#: The version of ONNX's operator set that models use.
OPSET = 20

#: Advice in errors about sizes that are unknown when the model is written.
FIXED_SHAPES = "export with fixed input shapes"

BOOL, INT32, INT64 = numpy.dtype(bool), numpy.dtype("int32"), numpy.dtype("int64")
FLOAT32, FLOAT64 = numpy.dtype("float32"), numpy.dtype("float64")

#: Element types of results that differ from the first input's type.
_RESULTS = {
    **dict.fromkeys(("Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual", "IsNaN", "IsInf", "Not"), BOOL),
    **dict.fromkeys(("And", "Or", "Xor"), BOOL),
    **dict.fromkeys(("Shape", "Size", "NonZero", "ArgMax", "ArgMin"), INT64),
}

#: Element types whose arithmetic is computed in int32, which every runtime supports.
_WIDENED = {
    "Add", "Sub", "Mul", "Div", "Mod", "Neg", "Abs", "Sign", "Max", "Min", "Clip", "ReduceSum", "ReduceMax",
    "ReduceMin", "ReduceProd", "ReduceMean", "Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Equal", "MatMul",
    "TopK", "Relu", "Einsum", "ArgMax", "ArgMin", "CumSum", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Pad",
    "ReduceSumSquare", "ReduceL1", "ReduceL2", "Pow", "Resize", "NonZero", "Where", "Tile",
}  # fmt: skip
_NARROW = {numpy.dtype(t) for t in ("int8", "uint8", "bool", "int16", "uint16")}


class Builder:
    """A builder of the nodes of an ONNX graph.

    Attributes
    ----------
    nodes : list of OnnxNode
        The nodes in the order of creation.
    node : Node
        The node of this package's graph that is being translated.
    results : list of Value
        Values with the inferred element types and shapes of the node's outputs.
    dynamic : bool
        Whether some sizes are known only when the model runs.
    """

    def __init__(self, dynamic: bool = False) -> None:
        self.nodes: list[OnnxNode] = []
        self.node: Node = Node(None, "")
        self.results: list[Value] = []
        self.dynamic = dynamic
        self._scalars: dict[Any, Value] = {}

    # --- creating nodes ---------------------------------------------------------------------------

    def __getattr__(self, op_type: str) -> Callable[..., Any]:
        if not op_type[:1].isupper():
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {op_type!r}", name=op_type)

        def make(*inputs: Any, **attributes: Any) -> Any:
            return self.make(op_type, inputs, **attributes)

        return make

    def make(
        self,
        op_type: str,
        inputs: Sequence[Any],
        outputs: int = 1,
        dtype: Any = None,
        shape: PartialShape = None,
        **attributes: Any,
    ) -> Any:
        """Create a node. Attributes that are None are omitted.

        Parameters
        ----------
        op_type : str
            ONNX's name of the operator.
        inputs : sequence of Value, number, list of int, array or None
            Inputs of the operator.
        outputs : int
            Number of results.
        dtype : dtype, optional
            Element type of the results, if it differs from the first input's type.
        shape : tuple, optional
            Shape of the first result, if it is known.
        **attributes
            ONNX's attributes.

        Returns
        -------
        Value or list of Value
            The result if ``outputs`` is 1, or else a list of results.

        Raises
        ------
        Untranslatable
            If an input is an array of zeros of unknown size.
        """
        first = next((i.dtype for i in inputs if isinstance(i, Value)), FLOAT32)
        if op_type == "Where":
            first = inputs[1].dtype if isinstance(inputs[1], Value) else inputs[2].dtype
        narrow = first if op_type in _WIDENED and first in _NARROW else None
        if narrow is not None:
            first = INT32
            inputs = [self.cast(i, INT32) if isinstance(i, Value) and i.dtype == narrow else i for i in inputs]
            if op_type == "Where":
                inputs[0] = self.cast(inputs[0], BOOL)
        values = [None if i is None else self.value(i, first) for i in inputs]
        if any(v is not None and v.open_zeros for v in values):
            raise Untranslatable(
                "the operator reads an array of zeros whose size is unknown: pass this array as an input, or "
                f"{FIXED_SHAPES}"
            )
        result_type = numpy.dtype(dtype) if dtype is not None else _RESULTS.get(op_type, first)
        results = [Value(result_type) for _ in range(outputs)]
        results[0].shape = shape
        if op_type == "TopK":
            results[1].dtype = INT64
        given = {k: v for k, v in attributes.items() if v is not None}
        self.nodes.append(OnnxNode(op_type, values, results, given, self.node.name))
        if narrow is not None and result_type == INT32:
            results = [self.cast(r, narrow) if r.dtype == INT32 else r for r in results]
        return results if outputs != 1 else results[0]

    def value(self, given: Any, dtype: Any = FLOAT32) -> Value:
        """Return a constant for a number, a list of integers, or an array.

        Parameters
        ----------
        given : number, list of int, array, or Value
            The elements. A list becomes a vector of int64. A Value is returned unchanged.
        dtype : dtype
            Element type of a number.

        Returns
        -------
        Value
            The constant.
        """
        if isinstance(given, Value):
            return given
        if isinstance(given, list | tuple):
            return self.array(numpy.array(given, numpy.int64))
        if isinstance(given, numpy.ndarray):
            return self.array(given)
        key = (str(given), numpy.dtype(dtype))
        if key not in self._scalars:
            with numpy.errstate(all="ignore"):
                self._scalars[key] = self.array(numpy.array(given).astype(dtype))
        return self._scalars[key]

    def array(self, array: Any, name: str = "") -> Value:
        """Return a constant with the elements of an array.

        Parameters
        ----------
        array : numpy.ndarray
            The elements.
        name : str
            Name of the constant; empty for a generated name.

        Returns
        -------
        Value
            The constant.
        """
        return Value(array.dtype, array.shape, array, name)

    # --- results ----------------------------------------------------------------------------------

    @property
    def dtype(self) -> numpy.dtype:
        """The element type of the first output of the node that is being translated."""
        return self.results[0].dtype

    @property
    def shape(self) -> tuple[Any, ...]:
        """The shape of the first output of the node that is being translated, with None for unknown sizes."""
        return self.shape_of(self.results[0])

    def shape_of(self, x: Value) -> tuple[Any, ...]:
        """Return the shape of a value, with None for unknown sizes.

        Parameters
        ----------
        x : Value
            The value.

        Returns
        -------
        tuple of (int or None)
            The size of each axis.

        Raises
        ------
        Untranslatable
            If the number of axes is unknown.
        """
        if x.shape is None:
            raise Untranslatable(f"the number of axes of each operand must be known: {FIXED_SHAPES}")
        return x.shape

    def static_shape(self, x: Value) -> tuple[int, ...]:
        """Return the shape of a value whose sizes are all known.

        Parameters
        ----------
        x : Value
            The value.

        Returns
        -------
        tuple of int
            The size of each axis.

        Raises
        ------
        Untranslatable
            If a size is known only when the model runs.
        """
        shape = self.shape_of(x)
        if None in shape:
            raise Untranslatable(f"the size of axis {shape.index(None)} must be known: {FIXED_SHAPES}")
        return shape

    def rank(self, x: Value) -> int:
        """Return the number of axes of a value."""
        return len(self.shape_of(x))

    def size(self, x: Value, axis: int) -> int:
        """Return the size of an axis.

        Parameters
        ----------
        x : Value
            The value.
        axis : int
            Index of the axis.

        Returns
        -------
        int
            The size.

        Raises
        ------
        Untranslatable
            If the size is known only when the model runs.
        """
        size = self.shape_of(x)[axis]
        if size is None:
            raise Untranslatable(f"the size of axis {axis} must be known: {FIXED_SHAPES}")
        return size

    # --- short forms of common nodes --------------------------------------------------------------

    def cast(self, x: Value, dtype: Any) -> Value:
        """Convert a value to another element type.

        Parameters
        ----------
        x : Value
            The value.
        dtype : dtype
            Element type of the result.

        Returns
        -------
        Value
            The converted value, or ``x`` itself if the element type is the same.
        """
        dtype = numpy.dtype(dtype)
        if x.dtype == dtype:
            return x
        if x.constant is not None:
            with numpy.errstate(all="ignore"):
                return self.array(x.constant.astype(dtype))
        return self.make("Cast", [x], dtype=dtype, shape=x.shape, to=dtype)

    def reshape(self, x: Value, shape: Sequence[int | None]) -> Value:
        """Reshape a value.

        Parameters
        ----------
        x : Value
            The value.
        shape : sequence of (int or None)
            The new shape. None marks a size to infer.

        Returns
        -------
        Value
            The reshaped value.

        Raises
        ------
        Untranslatable
            If more than one size is unknown.
        """
        shape = tuple(shape)
        if x.constant is not None and None not in shape:
            return self.array(x.constant.reshape(shape))
        if x.shape == shape and None not in shape:
            return x
        codes = [-1 if n is None else n for n in shape]
        if codes.count(-1) > 1:
            raise Untranslatable(f"more than one size of the new shape is unknown: {FIXED_SHAPES}")
        return self.make("Reshape", [x, codes], shape=shape, allowzero=1 if 0 in codes else None)

    def flatten(self, x: Value) -> Value:
        """Flatten a value to one axis."""
        return self.reshape(x, (math.prod(x.shape) if x.is_static else None,))  # type: ignore[arg-type]

    def transpose(self, x: Value, axes: Sequence[int]) -> Value:
        """Permute the axes of a value.

        Parameters
        ----------
        x : Value
            The value.
        axes : sequence of int
            For each axis of the result, the index of the axis in ``x``.

        Returns
        -------
        Value
            The transposed value.
        """
        axes = list(axes)
        if axes == sorted(axes):
            return x
        if x.constant is not None:
            return self.array(numpy.ascontiguousarray(x.constant.transpose(axes)))
        shape = None if x.shape is None else tuple(x.shape[i] for i in axes)
        return self.make("Transpose", [x], shape=shape, perm=axes)

    def swap_last(self, x: Value) -> Value:
        """Exchange the last two axes of a value."""
        rank = self.rank(x)
        return self.transpose(x, [*range(rank - 2), rank - 1, rank - 2])

    def move_axis(self, x: Value, source: int, target: int) -> Value:
        """Move an axis of a value to another index.

        Parameters
        ----------
        x : Value
            The value.
        source, target : int
            Old and new index of the axis.

        Returns
        -------
        Value
            The transposed value.
        """
        rank = self.rank(x)
        axes = [i for i in range(rank) if i != source % rank]
        axes.insert(target % rank, source % rank)
        return self.transpose(x, axes)

    def unsqueeze(self, x: Value, axes: Sequence[int]) -> Value:
        """Insert axes of size 1 into a value.

        Parameters
        ----------
        x : Value
            The value.
        axes : sequence of int
            Nonnegative indices of the new axes in the result.

        Returns
        -------
        Value
            The reshaped value.
        """
        if not axes:
            return x
        shape = None
        if x.shape is not None:
            sizes = list(x.shape)
            for axis in sorted(axes):
                sizes.insert(axis, 1)
            shape = tuple(sizes)
            if x.constant is not None:
                return self.array(x.constant.reshape(shape))
        return self.make("Unsqueeze", [x, list(axes)], shape=shape)

    def squeeze(self, x: Value, axes: Sequence[int]) -> Value:
        """Remove axes of size 1 from a value.

        Parameters
        ----------
        x : Value
            The value.
        axes : sequence of int
            Indices of the axes to remove.

        Returns
        -------
        Value
            The reshaped value.
        """
        if not axes:
            return x
        shape = None if x.shape is None else tuple(n for i, n in enumerate(x.shape) if i not in axes)
        return self.make("Squeeze", [x, list(axes)], shape=shape)

    def slice(
        self, x: Value, axis: int, begin: int | None = None, end: int | None = None, step: int | None = None
    ) -> Value:
        """Return a slice of a value along one axis.

        Parameters
        ----------
        x : Value
            The value.
        axis : int
            Index of the axis.
        begin, end, step : int, optional
            Arguments of Python's ``slice``.

        Returns
        -------
        Value
            The slice.
        """
        if x.constant is not None:
            index = (slice(None),) * (axis % x.constant.ndim) + (slice(begin, end, step),)
            return self.array(x.constant[index])
        forward = step is None or step > 0
        limit = 2**62
        first = begin if begin is not None else (0 if forward else limit)
        last = end if end is not None else (limit if forward else -limit)
        shape = None
        if x.shape is not None:
            place, n = axis % len(x.shape), x.shape[axis]
            size = None if n is None else len(range(*slice(begin, end, step).indices(n)))
            shape = (*x.shape[:place], size, *x.shape[place + 1 :])
        return self.make("Slice", [x, [first], [last], [axis], [step or 1]], shape=shape)

    def concat(self, values: Sequence[Value], axis: int) -> Value:
        """Concatenate values along an axis.

        Parameters
        ----------
        values : sequence of Value
            The values.
        axis : int
            Index of the axis.

        Returns
        -------
        Value
            The result.
        """
        if len(values) == 1:
            return values[0]
        if all(v.constant is not None for v in values):
            return self.array(numpy.concatenate([v.constant for v in values], axis))
        return self.make("Concat", list(values), axis=axis)

    def expand(self, x: Value, shape: Sequence[int | None]) -> Value:
        """Broadcast a value to a shape.

        Parameters
        ----------
        x : Value
            The value.
        shape : sequence of (int or None)
            The shape. None keeps the size of an axis.

        Returns
        -------
        Value
            The result.
        """
        if x.shape == tuple(shape):
            return x
        return self.make("Expand", [x, [1 if n is None else n for n in shape]], shape=tuple(shape))

    def shape_vector(self, x: Value) -> Value:
        """Return the shape of a value as an int64 vector."""
        return self.value(x.shape) if x.is_static else self.Shape(x)

    def fill(self, like: Value, number: float, dtype: Any) -> Value:
        """Return a value with the shape of ``like`` whose elements are all ``number``.

        Parameters
        ----------
        like : Value
            The value whose shape the result has.
        number : float
            The value of all elements.
        dtype : dtype
            Element type of the result.

        Returns
        -------
        Value
            The result.
        """
        if like.is_static:
            return self.array(numpy.full(like.shape, number, dtype))  # type: ignore[arg-type]
        one = numpy.array([number], dtype)
        return self.make("ConstantOfShape", [self.Shape(like)], dtype=dtype, shape=like.shape, value=one)

    def rearranged(self, x: Value, move: Callable[[Any], Any]) -> Value:
        """Apply a function that only moves, drops, or repeats elements, or adds zeros.

        This method calls the function once, on the indices of the elements. The model gathers the elements in the
        resulting order. If the batch size is unknown, the function must rearrange each example of the batch in the same
        way.

        Parameters
        ----------
        x : Value
            The value.
        move : callable
            Function of a NumPy array.

        Returns
        -------
        Value
            The result.
        """
        shape = self.shape_of(x)
        if shape and shape[0] is None and None not in shape[1:]:
            return self._rearranged_batch(x, move)
        places = numpy.asarray(move(_numbers(self.static_shape(x))))
        flat, places = self._with_zero(self.flatten(x), places, 0)
        return self.make("Gather", [flat, places], axis=0, shape=places.shape)

    def _rearranged_batch(self, x: Value, move: Callable[[Any], Any]) -> Value:
        one, size = self.shape_of(x)[1:], math.prod(self.shape_of(x)[1:])
        moved = numpy.asarray(move(_numbers((3, *one))))
        first = moved[:1]
        expected = numpy.concatenate([numpy.where(first > 0, first + i * size, 0) for i in range(3)])
        if not numpy.array_equal(moved, expected):
            raise Untranslatable(f"the size of axis 0 must be known: {FIXED_SHAPES}")
        flat, places = self._with_zero(self.reshape(x, (None, size)), first[0], 1)
        return self.make("Gather", [flat, places], axis=1, shape=(None, *places.shape))

    def _with_zero(self, flat: Value, places: Any, axis: int) -> tuple[Value, Any]:
        """Return the elements with an additional zero in front if needed, and positions in which 0 selects the zero."""
        if not (places == 0).any():
            return flat, numpy.asarray(places - 1)  # NumPy returns a scalar if there are no axes
        if axis == 0:
            return self.concat([self.array(numpy.zeros(1, flat.dtype)), flat], 0), places
        return self.make("Pad", [flat, [0, 1, 0, 0]]), places

    def channelwise(self, x: Value, rank: int, axis: int = 1) -> Value:
        """Reshape a vector of per-channel values so that the result broadcasts with the data.

        Parameters
        ----------
        x : Value
            The vector.
        rank : int
            Number of axes of the data.
        axis : int
            Index of the channel axis.

        Returns
        -------
        Value
            The reshaped vector.
        """
        return self.reshape(x, [x.shape[0] if i == axis % rank and x.shape else 1 for i in range(rank)])

    def all(self, function: Callable[[Value, Value], Value], values: Iterable[Value]) -> Value:
        """Combine values, from first to last, with a function of two values.

        Parameters
        ----------
        function : callable
            Function of two values.
        values : iterable of Value
            The values.

        Returns
        -------
        Value
            The result.
        """
        result, *others = values
        for other in others:
            result = function(result, other)
        return result


def _numbers(shape: tuple[int, ...]) -> Any:
    """Return an array of consecutive integers from 1 with the given shape."""
    return numpy.arange(1, math.prod(shape) + 1, dtype=numpy.int64).reshape(shape)
