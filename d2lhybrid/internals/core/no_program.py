"""Errors about graphs that can't be compiled. A hybridized net with such a graph runs operator by operator."""

from __future__ import annotations

from ...error import MXNetError

__all__ = [
    "GradientFromValuesError", "GradientOfACallError", "NoGradientError", "NoProgramError", "RowsFromValuesError",
    "ShapeFromValuesError", "StateInBodyError",
]  # fmt: skip


class NoProgramError(MXNetError):
    """The base class of errors about valid graphs that can't be compiled."""

    reason = "%s, %s"

    def __init__(self, operator_name: str, node_name: str) -> None:
        super().__init__(
            f"The graph cannot be compiled: {self.reason % (operator_name, node_name)}. "
            "A hybridized net with this graph runs operator by operator."
        )


class ShapeFromValuesError(NoProgramError):
    """An error about a result whose shape depends on values, such as the result of ``unique``."""

    reason = "the shape of the result of operator %s (%s) depends on values"


class GradientFromValuesError(NoProgramError):
    """An error about inputs that have a gradient only for some values, such as the inputs of a branch."""

    reason = "which inputs of operator %s (%s) have a gradient depends on values"


class RowsFromValuesError(NoProgramError):
    """An error about a row-sparse gradient whose rows depend on the branch taken or the number of steps."""

    reason = "the rows of the gradient of operator %s (%s) depend on values"


class GradientOfACallError(NoProgramError):
    """An error about a gradient that is a method of an object created by the forward call."""

    reason = "the gradient of operator %s (%s) is a method of an object that each forward call creates"


class NoGradientError(NoProgramError):
    """An error about an operator without a gradient. Eager mode raises an error only in a backward pass."""

    reason = "operator %s (%s) has no gradient"


class StateInBodyError(NoProgramError):
    """An error about an operator with state, such as BatchNorm, in the body of a loop or in a branch."""

    reason = "operator %s (%s) has a state and is in the body of a loop or in a branch"
