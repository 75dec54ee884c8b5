"""A generated function: its text, where Python looks for source files, and what it was made of.

So tracebacks, ``pdb`` and ``inspect.getsource`` show it.
"""

from __future__ import annotations

import itertools
import linecache
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .node import Entry, Node

if TYPE_CHECKING:
    from ..compiler.arena import Workspaces
    from ..compiler.memory import MemoryPlan

__all__ = ["PythonSource"]

_numbers = itertools.count()

#: Files of programs that are gone, whose text is still where Python looks for source files.
_forgotten: list[str] = []


class PythonSource:
    """A generated function.

    Attributes
    ----------
    name : str
        Name of the function.
    text : str
        Its source.
    namespace : dict
        The global names that the text uses.
    line_nodes : dict of int to Node
        Which node a line (from 1) belongs to.
    plan : MemoryPlan
        Lifetimes of the values.
    function : callable
        The compiled function, from raw arrays to a tuple of raw arrays.
    uses_generator : bool
        Whether it takes a random generator, after its inputs.
    allocation : sequence of str
        The lines that make memory which is kept between calls.
    workspaces : Workspaces or None
        The function as often as it has memory of its own, where it keeps any between calls.
    arena_bytes : int
        Size of that memory.
    launches : str
        What became of recording the launches on a GPU, in words; empty where nothing is to be recorded.
    threaded : bool
        Whether it has products that are large enough for several threads.
    labels : dict of Entry to str
        The names of values in the text.
    """

    def __init__(
        self,
        name: str,
        text: str,
        namespace: dict[str, Any],
        line_nodes: dict[int, Node],
        plan: MemoryPlan,
        uses_generator: bool,
        labels: dict[Entry, str],
    ) -> None:
        self.name, self.text, self.namespace, self.labels = name, text, namespace, labels
        self.line_nodes, self.plan, self.uses_generator = line_nodes, plan, uses_generator
        self.threaded = False
        self.filename: str = f"<d2lhybrid program {next(_numbers)}: {name}>"
        _forget_texts()
        whole = str(self)
        linecache.cache[self.filename] = (len(whole), None, whole.splitlines(True), self.filename)
        exec(compile(whole, self.filename, "exec"), namespace)
        self.function: Callable[..., Any] = self.made()

    allocation: Sequence[str] = ()
    workspaces: Workspaces | None = None
    arena_bytes = 0
    launches = ""

    def made(self) -> Callable[..., Any]:
        """Return what runs, once the text has been compiled."""
        return self.namespace[self.name]

    def __del__(self) -> None:
        # The garbage collector may run this while somebody walks over the cache (every traceback does): the entry
        # goes when the next program comes.
        _forgotten.append(getattr(self, "filename", ""))

    def __str__(self) -> str:
        return self.text


def _forget_texts() -> None:
    """Take the texts of programs that are gone from where Python looks for source files."""
    try:
        while True:  # to ask first whether there is one would be no use: another thread may take it
            linecache.cache.pop(_forgotten.pop(), None)
    except IndexError:
        pass
