"""Reasons why a graph can't be compiled: a hybridized net with such a graph runs operator by operator."""

from __future__ import annotations

from ...error import MXNetError

__all__ = [
    "GradientFromValuesError", "GradientOfACallError", "NoGradientError", "NoProgramError", "RowsFromValuesError",
    "ShapeFromValuesError", "StateInBodyError",
]  # fmt: skip


class NoProgramError(MXNetError):
    """A graph that can run can't be compiled."""

    reason = "%s, %s"

    def __init__(self, operator_name: str, node_name: str) -> None:
        super().__init__(
            f"There is no program for this graph: {self.reason % (operator_name, node_name)}. "
            "A hybridized net with it runs operator by operator."
        )


class ShapeFromValuesError(NoProgramError):
    """The size of a result depends on values (``unique``), not only on shapes."""

    reason = "the shape of what operator %s (%s) returns follows from values"


class GradientFromValuesError(NoProgramError):
    """Which inputs have a gradient depends on values: on the branch that was taken, on the number of steps."""

    reason = "which inputs of operator %s (%s) have a gradient follows from values"


class RowsFromValuesError(NoProgramError):
    """Which rows a gradient has depends on values: on the branch that was taken, on the number of steps."""

    reason = "which rows the gradient of operator %s (%s) has follows from values"


class GradientOfACallError(NoProgramError):
    """The gradient is a method of the object whose call computes the results, which exists only after a run."""

    reason = "the gradient of operator %s (%s) belongs to a call that has run"


class NoGradientError(NoProgramError):
    """An operator has no gradient, which in eager mode is an error only at a backward pass."""

    reason = "operator %s (%s) has no gradient"


class StateInBodyError(NoProgramError):
    """The body of a loop, or a branch, has an operator with state (BatchNorm)."""

    reason = "operator %s (%s) has a state, and stands in the body of a loop or in a branch"
