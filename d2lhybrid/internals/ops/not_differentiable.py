"""The gradient rule of operators that cannot be differentiated, which raises an error instead of returning zero."""

from __future__ import annotations

from typing import Any

from ...error import MXNetError
from ..core.operator import NOT_DIFFERENTIABLE, Operator

__all__ = ["not_differentiable"]


def not_differentiable(op: Operator) -> Operator:
    """Attach a gradient rule that raises MXNet's error.

    This is for operators that prepare data, and for gradients whose derivatives are rarely needed. A backward pass
    through such an operator raises an error, whereas a missing rule would count as a zero gradient.
    """

    def rule(*values: Any, **attributes: Any) -> Any:
        raise MXNetError(NOT_DIFFERENTIABLE.format(op.name))

    op.gradient(rule)
    op.refuses_gradient = True
    return op
