"""Errors about arrays that an operator rejects, with MXNet's message and a description of the call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...error import MXNetError, ShapeError
from ..device.readiness import device_error
from .infer import unify
from .operator import Operator

__all__ = ["explain_refusal", "shape_error", "type_error"]


def explain_refusal(
    op: Operator, arrays: Sequence[Any], raws: list[Any], params: dict[str, Any], error: Exception
) -> Exception:
    """Return MXNet's error for a kernel's exception, with a note that describes the call.

    Parameters
    ----------
    op : Operator
        The operator that was called.
    arrays : sequence of NDArray
        The inputs of the call, as arrays.
    raws : list of array
        The raw arrays of the inputs.
    params : dict
        The attributes of the call, without defaults.
    error : Exception
        The kernel's exception.

    Returns
    -------
    Exception
        The error to raise.
    """
    if not isinstance(error, MXNetError):
        found = device_error(op.name, arrays) or shape_error(op, raws, params) or type_error(op, raws, params)
        error = found or MXNetError(f"Operator {op.name}: {error}")
    if type(error) is ShapeError:  # users see MXNet's own class
        refused, error = error, MXNetError(str(error))
        for note in getattr(refused, "__notes__", []):
            error.add_note(note)
    inputs = ", ".join(
        f"{name} {tuple(r.shape)} {r.dtype.name}"
        for name, r in zip(_names(op, len(raws)), raws, strict=True)
        if r is not None
    )
    settings = ", ".join(f"{k}={v!r}" for k, v in params.items())
    error.add_note(f"in operator {op.name}({settings}) on {inputs or 'no inputs'}")
    return error


def _names(op: Operator, count: int) -> list[str]:
    if op.variadic is None:
        return [i.name for i in op.inputs][:count]
    return [f"{op.variadic}[{i}]" for i in range(count)]


def shape_error(op: Operator, raws: list[Any], params: dict[str, Any]) -> MXNetError | None:
    """Return the error of the operator's shape rule for the inputs of a call, or None if there is no such error.

    Parameters
    ----------
    op : Operator
        The operator that was called.
    raws : list of array
        The raw arrays of the inputs.
    params : dict
        The attributes of the call, without defaults.

    Returns
    -------
    MXNetError or None
        The error of the rule.
    """
    return _refusal(op.shape_rule, unify, [None if r is None else r.shape for r in raws], op, params)


def type_error(op: Operator, raws: list[Any], params: dict[str, Any]) -> MXNetError | None:
    """Return the error of the operator's type rule for the inputs of a call, or None if there is no such error.

    Parameters
    ----------
    op : Operator
        The operator that was called.
    raws : list of array
        The raw arrays of the inputs.
    params : dict
        The attributes of the call, without defaults.

    Returns
    -------
    MXNetError or None
        The error of the rule.
    """
    return _refusal(op.type_rule, None, [None if r is None else r.dtype for r in raws], op, params)


def _refusal(
    rule: Callable[..., Any] | None, merge: Callable[..., Any] | None, given: list[Any], op: Operator, params: Any
) -> MXNetError | None:
    if rule is None:
        return None
    try:
        wanted, _ = rule(*given, **op.complete(params))
        if merge is not None:
            for mine, theirs in zip(given, wanted, strict=True):
                merge(mine, theirs)
    except MXNetError as error:
        return error
    except Exception:  # the rule fails on these inputs, so there is no explanation
        return None
    return None
