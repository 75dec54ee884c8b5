"""Operators that join arrays along an axis: ``concat``, ``stack``, and NumPy's family of stacks.

Each of these operators takes three steps: give every input the right number of axes, choose the axis, and join the
inputs. The operators differ in the *plan*, a function ``plan(shapes, axis) -> (widened shapes, axis)``. The gradient
operator splits the incoming gradient at the same positions.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ...error import MXNetError, ShapeError
from ..core.infer import PartialShape, format_shape, known_size
from ..core.operator import Array, Operator, operator
from . import rules
from .numpy_shape import at_least_1d, at_least_2d, at_least_3d

FAMILY = "shape"
MEANINGS = {
    "stack.data": "The arrays to join, which all have the same shape.",
    "stack.axis": "The index of the new axis in the result; negative numbers count from the result's last axis.",
}

Shapes = Sequence[PartialShape]
Plan = Callable[[Shapes, Any], tuple[Shapes, int]]

# --- plans ---------------------------------------------------------------------------------------


def _along(shapes: Shapes, axis: int) -> tuple[Shapes, int]:
    """Return the shapes unchanged."""
    return shapes, axis


def _along_or_flat(shapes: Shapes, axis: int | None) -> tuple[Shapes, int]:
    """Return the shapes unchanged, or flattened if the axis is None."""
    if axis is None:
        return [None if s is None else (known_size(s),) for s in shapes], 0
    return shapes, axis


def _promoting(promote: Callable[[Any], Any], axis_for: Callable[[int], int]) -> Plan:
    """Return the plan that gives the shapes the number of axes that ``promote`` determines."""

    def plan(shapes: Shapes, _: Any) -> tuple[Shapes, int]:
        wide = [None if s is None else promote(s) for s in shapes]
        rank = next((len(s) for s in wide if s is not None), 1)
        return wide, axis_for(rank)

    return plan


# --- rules ---------------------------------------------------------------------------------------


def _checked_axis(axis: int, rank: int) -> int:
    rules.require(
        -rank <= axis < rank,
        f"axis < ndim && axis >= -ndim: axis {axis} exceeds the input dimension of {rank}",
    )
    return axis % rank


def _joined_shape(name: str, shapes: Shapes, axis: int) -> tuple[list[PartialShape], PartialShape]:
    """Return the completed shapes, which agree in all sizes except that along ``axis``, and the joined shape."""
    if not shapes:
        raise MXNetError("value 0 for Parameter num_args should be greater equal to 1")
    known = next((s for s in shapes if s is not None), None)
    if known is None:
        return list(shapes), None
    if not known:
        raise ShapeError(f"Operator {name} inferring shapes failed.")
    axis = _checked_axis(axis, len(known))
    common: tuple[int | None, ...] = (None,) * len(known)
    for shape in shapes:
        if shape is None:
            continue
        others = (*shape[:axis], None, *shape[axis + 1 :])
        if len(others) != len(common) or any(
            None not in (m, n) and m != n for m, n in zip(common, others, strict=True)
        ):
            raise ShapeError(
                "Check failed: shape_assign(&(*in_shape)[i], dshape): Incompatible input shape: "
                f"expected {format_shape(common)}, got {format_shape(shape)}"
            )
        common = tuple(n if m is None else m for m, n in zip(common, others, strict=True))
    sizes = [None if s is None else s[axis] for s in shapes]

    def with_size(size: int | None) -> PartialShape:
        return (*common[:axis], size, *common[axis + 1 :])

    total = None if None in sizes else sum(n for n in sizes if n is not None)
    return [with_size(n) for n in sizes], with_size(total)


def _shape_rule(name: str, plan: Plan, axis_name: str) -> Any:
    def rule(*shapes: PartialShape, **attributes: Any):
        wide, axis = plan(shapes, attributes.get(axis_name))
        completed, joined = _joined_shape(name, wide, axis)
        # The shape of an input doesn't follow from its widened shape.
        return completed if wide is shapes else list(shapes), [joined]

    return rule


def _type_rule(name: str) -> Any:
    legacy = name == "Concat"

    def rule(*dtypes: numpy.dtype | None, **_: Any):
        known = next((d for d in dtypes if d is not None), None)
        for i, dtype in enumerate(dtypes):
            if dtype is None or dtype == known:
                continue
            if legacy:
                raise ShapeError(
                    "Check failed: in_type->at(i) == dtype || in_type->at(i) == -1: Non-uniform data type "
                    f"in Concat, expected data type {known}, got data type {dtype} for input {i}"
                )
            raise ShapeError(f"Type inconsistent, Provided = {dtype}, inferred type = {known}")
        return [known] * len(dtypes), [known]

    return rule


# --- kernels -------------------------------------------------------------------------------------


def _join(op: Operator, xp: Any, arrays: Sequence[Any], plan: Plan, axis: Any, axis_name: str = "") -> Any:
    """Join arrays of one element type; if they don't fit, raise the error that the shape or type rule raises."""
    for a in arrays:
        if a.dtype is not arrays[0].dtype and a.dtype != arrays[0].dtype:
            op.type_rule(*[b.dtype for b in arrays])  # type: ignore[misc]
    shapes = [a.shape for a in arrays]
    try:
        wide, place = plan(shapes, axis)
        parts = arrays if wide is shapes else [a.reshape(s) for a, s in zip(arrays, wide, strict=True)]
        return xp.concatenate(parts, axis=place)
    except ValueError:
        op.shape_rule(*shapes, **({axis_name: axis} if axis_name else {}))  # type: ignore[misc]
        raise


def _cut(arrays: Sequence[Any], plan: Plan, axis: Any) -> Any:
    """Split the first array into arrays with the shapes of the other arrays."""
    dy, shapes = arrays[0], [a.shape for a in arrays[1:]]
    wide, place = plan(shapes, axis)
    place %= dy.ndim
    ends = list(itertools.accumulate(s[place] for s in wide))  # type: ignore[index]
    before = (slice(None),) * place
    pieces = [
        dy[(*before, slice(start, end))].reshape(shape)
        for start, end, shape in zip([0, *ends[:-1]], ends, shapes, strict=True)
    ]
    return pieces[0] if len(pieces) == 1 else pieces


def _attach(op: Operator, backward: Operator, plan: Plan, axis_name: str = "") -> None:
    """Attach the rules to a joining operator and to the operator that splits its gradient."""

    def place(attributes: dict[str, Any]) -> dict[str, Any]:
        return {axis_name: attributes[axis_name]} if axis_name else {}

    def gradient(F, dy, y, *data, **attributes):
        if len(data) == 1:
            return [F.reshape_like(dy, data[0])]
        return list(getattr(F, backward.name)(dy, *data, **place(attributes)))

    def gradient_of_backward(F, dy, y, *arrays, **attributes):
        if len(arrays) == 2:
            return [F.reshape_like(dy, arrays[0]), None]
        pieces = [F.zeros_like(a) if g is None else g for g, a in zip(dy, arrays[1:], strict=True)]
        return [getattr(F, op.name)(*pieces, **place(attributes))] + [None] * (len(arrays) - 1)

    op.infer_shape(_shape_rule(op.name, plan, axis_name))
    op.infer_type(_type_rule(op.name))
    op.gradient(gradient)
    backward.infer_shape(lambda *shapes, **_: (list(shapes), list(shapes[1:])))
    backward.infer_type(lambda *dtypes, **_: (list(dtypes), [dtypes[0]] * (len(dtypes) - 1)))
    backward.gradient(gradient_of_backward)


def _pieces(num_args: int = 2, **_: Any) -> int:
    return num_args - 1


@operator("Concat", "concat", fresh=True)
def concat(xp, *data: Array, dim: int = 1):
    """Join arrays along an existing axis.

    Parameters
    ----------
    *data : NDArray or Symbol
        The arrays, whose sizes agree except along ``dim``.
    dim : int
        The axis, 1 by default (the channels of an image).
    """
    return _join(concat, xp, data, _along, dim, "dim")


@operator("_backward_Concat", outputs=_pieces)
def concat_backward(xp, *arrays: Array, dim: int = 1):
    """Split the gradient of ``concat`` (the first array) into one piece for each input (the other arrays)."""
    return _cut(arrays, _along, dim)


_attach(concat, concat_backward, _along, "dim")
concat.precision = "widest"
concat.names_outputs = True


@operator("_npi_concatenate")
def np_concatenate(xp, *data: Array, axis: int | None = 0):
    """Join arrays along an existing axis, or flatten and join them if ``axis`` is None."""
    return _join(np_concatenate, xp, data, _along_or_flat, axis, "axis")


@operator("_backward_np_concat", outputs=_pieces)
def np_concatenate_backward(xp, *arrays: Array, axis: int | None = 0):
    """Split the gradient of ``concatenate`` into one piece for each input."""
    return _cut(arrays, _along_or_flat, axis)


_attach(np_concatenate, np_concatenate_backward, _along_or_flat, "axis")
np_concatenate.names_outputs = True
np_concatenate.output_names(lambda **_: ["out"])


def _joiner(name: str, plan: Plan, doc: str, has_dim: bool = False) -> None:
    """Register a joining operator that chooses the axis, and the operator that splits its gradient.

    With ``has_dim``, files may contain an attribute ``dim``, which MXNet reads and ignores.
    """
    if has_dim:

        def run(xp, *data: Array, dim: int = 1):  # type: ignore[reportRedeclaration]
            return _join(op, xp, data, plan, None)

    else:

        def run(xp, *data: Array):
            return _join(op, xp, data, plan, None)

    def run_backward(xp, *arrays: Array):
        return _cut(arrays, plan, None)

    run.__doc__ = doc
    run_backward.__doc__ = f"Split the gradient of ``{name}`` into one piece for each input."
    op = operator(f"_npi_{name}")(run)
    if has_dim:
        op.output_names(lambda **_: ["out"])
        op.names_outputs = True
    _attach(op, operator(f"_backward_np_{name}", outputs=_pieces)(run_backward), plan)


def _as_columns(shape: tuple[Any, ...]) -> tuple[Any, ...]:
    return shape if len(shape) >= 2 else (*at_least_1d(shape), 1)


_joiner(
    "vstack",
    _promoting(at_least_2d, lambda rank: 0),
    "Put arrays on top of each other: join along the first axis; vectors of shape ``(n,)`` become ``(1, n)`` first.",
)
_joiner(
    "hstack",
    _promoting(at_least_1d, lambda rank: min(rank - 1, 1)),
    "Put arrays side by side: join along the second axis, or along the only axis of vectors.",
    has_dim=True,
)
_joiner(
    "dstack",
    _promoting(at_least_3d, lambda rank: 2),
    "Join arrays along the third axis; vectors of shape ``(n,)`` become ``(1, n, 1)`` first.",
    has_dim=True,
)
_joiner(
    "column_stack",
    _promoting(_as_columns, lambda rank: 1),
    "Join arrays along the second axis; one-dimensional arrays become columns.",
)

# --- stack: a new axis ----------------------------------------------------------------------------


def _stack_rule(*shapes: PartialShape, axis: int, **_: Any):
    if not shapes:
        raise MXNetError("value 0 for Parameter num_args should be greater equal to 1")
    shape = rules.unify_all(shapes)
    if shape is None:
        return list(shapes), [None]
    place = _checked_axis(axis, len(shape) + 1)
    return [shape] * len(shapes), [(*shape[:place], len(shapes), *shape[place:])]


def _stack_gradient(F, dy, y, *data, axis, **_):
    if len(data) == 1:
        return [F.reshape_like(dy, data[0])]
    return list(F.SliceChannel(dy, num_outputs=len(data), axis=axis, squeeze_axis=True))


for _name in ("stack", "_npi_stack"):

    @operator(_name, fresh=True)
    def stack(xp, *data: Array, axis: int = 0):
        """Join arrays of equal shape along a new axis."""
        for a in data:
            if a.dtype is not data[0].dtype and a.dtype != data[0].dtype:
                rules.same_type(*[b.dtype for b in data])
        try:
            return xp.stack(data, axis)
        except ValueError:
            _stack_rule(*[a.shape for a in data], axis=axis)
            raise

    stack.infer_shape(_stack_rule)
    stack.infer_type(rules.same_type)
    stack.precision = "widest"
    stack.gradient(_stack_gradient)
