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
    """Return None as the lowering of a node, so that the writer generates a call of the node's kernel.

    Parameters
    ----------
    node : Node
        The node to lower.
    types, results : list of TensorType
        The types of the node's inputs and outputs.
    """


@dataclass(frozen=True, repr=False)
class Options(Shown):
    """The options of the writer that generates the functions of a program.

    Attributes
    ----------
    xp : module
        NumPy or CuPy.
    prefix : str
        The prefix of the net's names, which the writer removes.
    training : bool
        Whether layers behave as in training.
    num_outputs : int
        The number of leading results that are outputs, which never alias inputs or constants.
    num_leaving : int
        The number of leading results that the caller keeps; the remaining results may be in the arena.
    writer : type of Writer
        The class of the writer. The core's writer generates kernel calls; the compiler's writers generate NumPy
        expressions.
    static_shape : bool
        Whether the program also keeps views of the arena between calls.
    inputs_in_order : bool
        Whether all arguments are, and all results must be, C-contiguous.
    changing : frozenset of int
        The indices of the arguments that change with every call: data and incoming gradients.
    recorder : callable, optional
        The function ``recorder(what, run)``, which returns a function with the arguments of `run` that records the
        launches of `run` on a GPU in a CUDA graph.
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
