"""Which inputs and outputs a use of an operator has: a graph holds those that are there, a kernel takes all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

__all__ = ["Input", "Inputs"]


class Input(NamedTuple):
    """One array that an operator takes."""

    name: str
    optional: bool


class Inputs:
    """What an operator's inputs and outputs are called, and in which order a kernel takes the inputs of a node."""

    inputs: tuple[Input, ...]
    variadic: str | None
    complete: Callable[[dict[str, Any]], dict[str, Any]]
    num_visible_outputs: Callable[[dict[str, Any], int], int]

    _input_names: Callable[..., Sequence[str]] | None = None
    _output_names: Callable[..., Sequence[str]] | None = None

    def input_names(self, rule: Callable[..., Sequence[str]]) -> Callable[..., Sequence[str]]:
        """Attach a rule that tells which inputs a call with these attributes takes."""
        self._input_names = rule
        return rule

    def output_names(self, rule: Callable[..., Sequence[str]]) -> Callable[..., Sequence[str]]:
        """Attach a rule that names the visible outputs (default ``output`` or ``output0`` ...)."""
        self._output_names = rule
        return rule

    def list_inputs(self, params: dict[str, Any]) -> list[str]:
        """Return the names of the inputs that a call with these attributes takes.

        For a variadic operator the names are ``arg0``, ``arg1`` ... as far as ``num_args`` says.
        """
        if self._input_names is not None:
            return list(self._input_names(**self.complete(params)))
        if self.variadic is not None:
            return [f"arg{i}" for i in range(int(params.get("num_args", 0)))]
        return [i.name for i in self.inputs if not i.optional]

    def slots(self, params: dict[str, Any], count: int) -> list[int] | None:
        """Return which parameter of the kernel each of a node's inputs belongs to.

        A graph holds only the inputs that are there; a kernel's optional parameters may be missing
        in the middle. None where they simply fill the parameters from the left.
        """
        if self._input_names is None or self.variadic is not None or count == len(self.inputs):
            return None
        declared = [i.name for i in self.inputs]
        names = self.list_inputs(params)
        if len(names) != count or names == declared[:count]:
            return None
        return [declared.index(n) for n in names]

    def arrange(self, params: dict[str, Any], values: Sequence[Any]) -> list[Any]:
        """Return a node's inputs as the kernel takes them: None where an optional one is missing."""
        slots = self.slots(params, len(values))
        if slots is None:
            return list(values)
        arranged: list[Any] = [None] * (max(slots) + 1)
        for slot, value in zip(slots, values, strict=True):
            arranged[slot] = value
        return arranged

    def pick(self, params: dict[str, Any], arranged: Sequence[Any], count: int) -> list[Any]:
        """Undo :meth:`arrange`: return what belongs to a node's inputs."""
        slots = self.slots(params, count)
        return list(arranged)[:count] if slots is None else [arranged[i] for i in slots]

    def list_outputs(self, params: dict[str, Any], num_inputs: int = 0) -> list[str]:
        """Return the suffixes of the visible outputs' names."""
        if self._output_names is not None:
            return list(self._output_names(**self.complete(params)))
        count = self.num_visible_outputs(params, num_inputs)
        return ["output"] if count == 1 else [f"output{i}" for i in range(count)]
