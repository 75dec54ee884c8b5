"""The options that a backend passes to the writer of a program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..support.display import Shown
from .codegen import Writer
from .graph import TensorType
from .node import Node

if TYPE_CHECKING:
    from ..compiler.emitter import Lowering
    from ..compiler.static_writer import Recordable

__all__ = ["Options"]


def calls_of_kernels(node: Node, types: list[TensorType], results: list[TensorType]) -> None:
    """Return None: every operator is lowered to a call of its kernel."""


@dataclass(frozen=True, repr=False)
class Options(Shown):
    """The options of a program's writer.

    Attributes
    ----------
    xp : module
        NumPy or CuPy.
    prefix : str
        The prefix of the net, which is removed from names.
    training : bool
        Whether layers behave as in training.
    num_outputs : int
        How many results, from the left, are outputs, which never alias inputs or constants.
    num_leaving : int
        How many results, from the left, escape the program; the others may be in the arena.
    writer : type of Writer
        The writer: the core's generates kernel calls, those of the compiler NumPy expressions.
    static_shape : bool
        Whether views of the arena are also made only once.
    inputs_in_order : bool
        Whether all arguments are C-contiguous, and all results must be.
    changing : frozenset of int
        The arguments that change with every call: data, and incoming gradients.
    recorder : callable, optional
        Wraps the function for a GPU: ``recorder(what, run)`` returns a function of the same arguments.
    lowering_of : callable
        ``lowering_of(node, types, results)`` returns the lowering of a node, or None for a kernel call (the default).
    """

    xp: Any
    prefix: str = ""
    training: bool = False
    num_outputs: int = 0
    num_leaving: int = 0
    writer: Callable[..., Writer] = Writer
    static_shape: bool = False
    inputs_in_order: bool = False
    changing: frozenset[int] = frozenset()
    recorder: Callable[[Recordable, Callable[..., Any]], Callable[..., Any]] | None = None
    lowering_of: Callable[[Node, list[TensorType], list[TensorType]], Lowering | None] = calls_of_kernels
