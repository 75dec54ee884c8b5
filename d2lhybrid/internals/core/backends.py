"""Backends: who makes a program out of the final graph, and the table in which they register.

``hybridize(backend=...)`` and ``optimize_for(x, backend=...)`` choose one by its name. The only one that the machine
itself has is plain: its programs call one kernel a node. :mod:`d2lhybrid.internals.compiler.backends` registers a
faster ``numpy`` in its place, and those that write other languages. Without them, every net still computes the same.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ...error import MXNetError
from ..support.machine import in_browser, not_here
from .codegen import Halves, PythonSource
from .graph import Graph, TypeTable
from .options import Options

if TYPE_CHECKING:
    from .pipeline import Program, Settings, Stage

__all__ = [
    "BACKENDS",
    "Backend",
    "Passes",
    "common_prefix",
    "default_backend",
    "get_backend",
    "register_backend",
    "used_backends",
]

Passes = Sequence[tuple[str, Callable[[Graph], Graph]]]


def common_prefix(names: Sequence[str]) -> str:
    """Return what all names begin with, up to an underscore.

    Examples
    --------
    >>> common_prefix(["lenet0_conv0_weight", "lenet0_conv1_weight"])
    'lenet0_'
    """
    if len(names) < 2:
        return ""
    first, last = min(names), max(names)  # what these two share, all in between share
    same = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return first[: first.rfind("_", 0, same) + 1]


class Backend:
    """Makes programs. This one writes the call of a kernel for every node, for NumPy or CuPy.

    Attributes
    ----------
    name : str
        What ``hybridize(backend=...)`` calls it.
    updates_in_c : bool
        Whether a Trainer updates the parameters of such a block by a function of C.
    """

    name = "numpy"
    updates_in_c = False

    def check_available(self) -> None:
        """Raise :class:`MXNetError` if something that the backend needs is not installed."""

    def check_settings(self, settings: Settings) -> None:
        """Raise :class:`MXNetError` if the backend cannot make such a program."""

    def passes(self, passes: Passes, settings: Settings) -> Passes:
        """Return the passes before or after differentiation: those of the pipeline, or others in their place."""
        return passes

    def options(self, graph: Graph, settings: Settings) -> Options:
        """Return how the generated functions are written."""
        return Options(
            xp=settings.xp,
            prefix=common_prefix([node.name for node in graph.inputs[graph.num_data :]]),
            training=settings.training,
            static_shape=settings.static_shape,
        )

    def works_in_threads(self, function: PythonSource, types: TypeTable) -> bool:
        """Return whether a function of NumPy's works in several threads: it has a large product, or the like."""
        return False

    def start(self, graph: Graph) -> Callable[[], bool]:
        """Start what takes long of making a program, and can go on beside other work.

        Returns
        -------
        callable
            Waits for it, and returns whether it has come to a good end. To call it is not needed: :meth:`program` does
            what is still to be done.
        """
        return lambda: True

    def program(self, graph: Graph, stages: list[Stage], halves: Halves, settings: Settings) -> Program:
        """Return the program of a graph that went through all passes."""
        from .pipeline import Program

        return Program(graph, stages, halves, settings)

    def __repr__(self) -> str:
        return f"<backend {self.name}>"


#: Name -> a function that makes the backend. It is called when the backend is first asked for.
BACKENDS: dict[str, Callable[[], Backend]] = {"numpy": Backend}

#: Those that have been made, by name.
_used: dict[str, Backend] = {}

#: MXNet's own names of what it compiles for processors with.
_OF_MXNET = ("MKLDNN", "MKLDNN_QUANTIZE")


def register_backend(name: str, make: Callable[[], Backend]) -> None:
    """Make a backend known by a name, in the place of the one that had it.

    Parameters
    ----------
    name : str
        What ``hybridize(backend=...)`` calls it.
    make : callable
        Returns the backend; called once, when the backend is first asked for.
    """
    BACKENDS[name] = make
    get_backend.cache_clear()


def default_backend(xp: Any) -> str:
    """Return the name of the backend that makes programs where nobody has chosen one.

    Parameters
    ----------
    xp : module
        NumPy or CuPy.
    """
    return "cupy" if xp is not numpy and "cupy" in BACKENDS else "numpy"


@functools.cache
def get_backend(name: str | None) -> Backend:
    """Return a backend by its name; None is the default of a CPU.

    Raises
    ------
    MXNetError
        If there is none of that name, or if it cannot work here; the note says what it needs.

    Examples
    --------
    >>> get_backend(None).name
    'numpy'
    """
    if name is None:
        return get_backend("numpy")
    if name in _OF_MXNET:
        return _with_onednn()
    if name not in BACKENDS:
        error = MXNetError(f"Error optimizing for backend '{name}', the backend is not registered")
        error.add_note(f"There are: {', '.join(sorted(BACKENDS))}.")
        raise error
    if name != "numpy" and in_browser():
        raise not_here(f"Error optimizing for backend '{name}'", "Leave `backend` out: the program then runs on NumPy.")
    backend = BACKENDS[name]()
    backend.check_available()
    _used[name] = backend
    return backend


def used_backends() -> list[Backend]:
    """Return the backends that have been asked for in this process, those that nobody has chosen left out."""
    return list(_used.values())


def _with_onednn() -> Backend:
    """Return what stands for MXNet's oneDNN, which it comes with: ours where it is installed, else the default."""
    if not in_browser():
        with contextlib.suppress(MXNetError):
            return get_backend("onednn")
    return get_backend(None)
