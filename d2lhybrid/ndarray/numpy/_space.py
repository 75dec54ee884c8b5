"""The function space of eager ``np`` arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...context import context_of
from ...error import MXNetError
from ...internals.core.invoke import invoke
from ...internals.core.operator import Operator
from ...internals.frontends.frontend import NameSpace, make_function
from ...internals.frontends.numpy_dialect import Space
from .._functions import _extra
from ..ndarray import NDArray
from ._array import ndarray

__all__ = ["ArraySpace", "operators", "space"]


class ArraySpace(Space):
    """A function space that runs the operators of the dialect on arrays."""

    array_class = ndarray
    base_class = NDArray
    eager = True
    argument_text = "must have NDArray type"
    arguments_text = "Positional arguments must have NDArray type"

    def run(
        self, op: Operator, name: str, inputs: tuple[Any, ...], attributes: dict[str, Any], out: Any, ctx: Any
    ) -> Any:
        """Run an operator on arrays. An operator without inputs runs on the device ``ctx``."""
        params = op.parse(attributes) if attributes else attributes
        if not inputs:
            return invoke(op, inputs, params, ndarray, out, context_of(ctx))
        while inputs[-1] is None:
            inputs = inputs[:-1]
        return invoke(op, inputs, params, ndarray, out)

    def shape_of(self, a: Any) -> tuple[int, ...] | None:
        """Return the shape of an array."""
        return a.shape

    def number(self, value: Any, reflected: bool) -> dict[str, Any]:
        """Return an operator's attributes for a number, which the operator truncates for integer arrays."""
        return {"scalar": float(value)}


space = ArraySpace()
ndarray._space = space


def _call(op: Operator, name: str, arrays: list[Any], params: dict[str, Any], out: Any, _name: Any) -> Any:
    """Run the operator of a generated function."""
    while arrays and arrays[-1] is None:
        arrays.pop()
    if op.variadic is None and len(arrays) < len(op.inputs):
        wanted = op.list_inputs(params)
        present = [i.name for i, a in zip(op.inputs, arrays, strict=False) if a is not None]
        if not {*wanted} <= {*present}:
            error = MXNetError(
                f"Check failed: num_inputs == infered_num_inputs ({len(present)} vs. {len(wanted)}) : "
                f"Operator {op.name} expects {len(wanted)} inputs, but got {len(present)} instead."
            )
            error.add_note(f"Pass the missing inputs: {', '.join(name for name in wanted if name not in present)}.")
            raise error
    return invoke(op, arrays, params, ndarray, out)


def operators(place: str, module: str, globals_: dict[str, Any]) -> NameSpace:
    """Return the namespace that generates the functions of ``F.np`` or ``F.npx`` from the registry."""

    def make(op: Operator, name: str) -> Callable[..., Any]:
        return make_function(
            op, name, call=_call, check=space.check_named, check_all=space.check_all, extra=_extra,
            array_class=ndarray, tail=("out", "name"), module=module, parse=True,
        )  # fmt: skip

    return NameSpace(place, module, make, globals_)
