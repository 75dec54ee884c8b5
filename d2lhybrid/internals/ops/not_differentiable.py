"""The gradient rule of operators that cannot be differentiated, which raises an error instead of returning zero."""

from __future__ import annotations

from typing import Any

from ...error import MXNetError
from ..core.operator import NOT_DIFFERENTIABLE, Operator

__all__ = ["not_differentiable"]


def not_differentiable(op: Operator) -> Operator:
    """Attach a gradient rule that raises MXNet's error.

    Operators that prepare data, and gradient operators whose derivatives are rarely needed, have this rule. A missing
    rule would mean a gradient of zero.
    """

    def rule(*values: Any, **attributes: Any) -> Any:
        raise MXNetError(NOT_DIFFERENTIABLE.format(op.name))

    op.gradient(rule)
    op.refuses_gradient = True
    return op
