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
    """Return None, so that every operator is lowered to a call of its kernel."""


@dataclass(frozen=True, repr=False)
class Options(Shown):
    """The options of a program's writer.

    Attributes
    ----------
    xp : module
        NumPy or CuPy.
    prefix : str
        The prefix of the net, which the writer removes from names.
    training : bool
        Whether layers behave as in training.
    num_outputs : int
        The number of leading results that are outputs, which never alias inputs or constants.
    num_leaving : int
        The number of leading results that escape the program; the remaining ones may be in the arena.
    writer : type of Writer
        The class of the writer. The core's writer generates kernel calls, those of the compiler NumPy expressions.
    static_shape : bool
        Whether views of the arena are also kept between calls.
    inputs_in_order : bool
        Whether all arguments are, and all results must be, C-contiguous.
    changing : frozenset of int
        The indices of the arguments that change with every call: data and incoming gradients.
    recorder : callable, optional
        The function ``recorder(what, run)``, which wraps a function for a GPU in another one with the same arguments.
    lowering_of : callable
        The function ``lowering_of(node, types, results)``, which returns the lowering of a node, or None (the default)
        for a kernel call.
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
