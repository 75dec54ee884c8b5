"""Operators that cannot be differentiated say so, instead of giving a wrong zero."""

from __future__ import annotations

from typing import Any

from ...error import MXNetError
from ..core.operator import NOT_DIFFERENTIABLE, Operator

__all__ = ["not_differentiable"]


def not_differentiable(op: Operator) -> Operator:
    """Attach a gradient rule that raises MXNet's error.

    It is for operators that prepare data, and for gradients whose own derivative hardly anybody asks
    for. A backward pass through one of them then stops with a message, where a missing rule would
    count as a zero gradient.
    """

    def rule(*values: Any, **attributes: Any) -> Any:
        raise MXNetError(NOT_DIFFERENTIABLE.format(op.name))

    op.gradient(rule)
    op.refuses_gradient = True
    return op
