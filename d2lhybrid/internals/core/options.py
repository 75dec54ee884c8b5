"""How a program is to be written: what a backend tells the writer of its functions."""

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
    """Return None: no operator becomes lines of its own."""


@dataclass(frozen=True, repr=False)
class Options(Shown):
    """How a program is written.

    Attributes
    ----------
    xp : module
        NumPy or CuPy.
    prefix : str
        What is left out of names: the prefix of the net.
    training : bool
        Whether layers behave as in training.
    num_outputs : int
        How many results, from the left, are outputs: they are never views of inputs or constants.
    num_leaving : int
        How many results, from the left, leave the program for good; the memory of the others may be
        the arena's.
    writer : type of Writer
        Who writes it: the core's writes calls of kernels, those of the compiler lines of NumPy.
    static_shape : bool
        Whether views of the arena are made once, too.
    inputs_in_order : bool
        Whether the elements of all arguments lie in memory in the order of the axes, and must do so in all results.
    changing : frozenset of int
        Which arguments are other arrays in every call: data, and gradients that arrive.
    recorder : callable, optional
        Wraps the function for a GPU: ``recorder(what, run)`` returns a function of the same arguments.
    lowering_of : callable
        Which operators become lines of their own: ``lowering_of(node, types, results)``. None does, unless a backend
        says so.
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
