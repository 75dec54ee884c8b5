"""Why there is no program for a graph: a hybridized net with such a graph runs operator by operator."""

from __future__ import annotations

from ...error import MXNetError

__all__ = [
    "GradientFromValuesError", "GradientOfACallError", "NoGradientError", "NoProgramError", "RowsFromValuesError",
    "ShapeFromValuesError", "StateInBodyError",
]  # fmt: skip


class NoProgramError(MXNetError):
    """A graph cannot be compiled, although it can run."""

    reason = "%s, %s"

    def __init__(self, operator_name: str, node_name: str) -> None:
        super().__init__(
            f"There is no program for this graph: {self.reason % (operator_name, node_name)}. "
            "A hybridized net with it runs operator by operator."
        )


class ShapeFromValuesError(NoProgramError):
    """How large a result is follows from values (``unique``), not from shapes."""

    reason = "the shape of what operator %s (%s) returns follows from values"


class GradientFromValuesError(NoProgramError):
    """Which inputs have a gradient follows from values: from the branch that was taken, from the number of steps."""

    reason = "which inputs of operator %s (%s) have a gradient follows from values"


class RowsFromValuesError(NoProgramError):
    """Which rows a gradient has follows from values: from the branch that was taken, from the number of steps."""

    reason = "which rows the gradient of operator %s (%s) has follows from values"


class GradientOfACallError(NoProgramError):
    """The gradient is a method of the object whose call made the results: there is one once it has run."""

    reason = "the gradient of operator %s (%s) belongs to a call that has run"


class NoGradientError(NoProgramError):
    """An operator has no gradient: run line by line that is an error only once somebody asks for one."""

    reason = "operator %s (%s) has no gradient"


class StateInBodyError(NoProgramError):
    """The body of a loop, or a branch, holds an operator with state (BatchNorm)."""

    reason = "operator %s (%s) has a state, and stands in the body of a loop or in a branch"
