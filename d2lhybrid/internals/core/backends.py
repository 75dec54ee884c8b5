"""Backends, which make programs from final graphs, and the registry of backends.

``hybridize(backend=...)`` and ``optimize_for(x, backend=...)`` choose a backend by name. The core has only one backend,
whose programs call one kernel per node. :mod:`d2lhybrid.internals.compiler.backends` replaces this backend with a
faster ``numpy`` backend and registers backends that generate code in other languages. All backends give the same
results.
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
    """Return the longest common prefix of names that ends with an underscore.

    Parameters
    ----------
    names : sequence of str
        The names.

    Returns
    -------
    str
        The prefix; empty if there is no such prefix, or if there are fewer than two names.

    Examples
    --------
    >>> common_prefix(["lenet0_conv0_weight", "lenet0_conv1_weight"])
    'lenet0_'
    """
    if len(names) < 2:
        return ""
    first, last = min(names), max(names)  # a prefix that these two names share is a prefix of all names
    same = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return first[: first.rfind("_", 0, same) + 1]


class Backend:
    """The base class of backends, which make programs.

    The programs that this class makes call a kernel for every node.

    Attributes
    ----------
    name : str
        The name for ``hybridize(backend=...)``.
    updates_in_c : bool
        Whether a ``Trainer`` updates the parameters of a block with this backend in compiled C.
    """

    name = "numpy"
    updates_in_c = False

    def check_available(self) -> None:
        """Raise :class:`MXNetError` if a requirement of the backend is not installed."""

    def check_settings(self, settings: Settings) -> None:
        """Raise an error if the backend doesn't support the settings of a compilation.

        Parameters
        ----------
        settings : Settings
            The settings.

        Raises
        ------
        MXNetError
            If the backend doesn't support a setting.
        """

    def passes(self, passes: Passes, settings: Settings) -> Passes:
        """Return the passes that the backend runs instead of one of the pipeline's lists of passes.

        Parameters
        ----------
        passes : sequence of (str, callable)
            The pipeline's passes before or after differentiation.
        settings : Settings
            The settings of the compilation.

        Returns
        -------
        sequence of (str, callable)
            The passes to run; ``passes`` by default.
        """
        return passes

    def options(self, graph: Graph, settings: Settings) -> Options:
        """Return the options for the writer of the generated functions.

        Parameters
        ----------
        graph : Graph
            The graph after all passes.
        settings : Settings
            The settings of the compilation.

        Returns
        -------
        Options
            The options.
        """
        return Options(
            xp=settings.xp,
            prefix=common_prefix([node.name for node in graph.inputs[graph.num_data :]]),
            training=settings.training,
            static_shape=settings.static_shape,
        )

    def takes(self, graph: Graph) -> bool:
        """Return whether the backend can run a graph in prediction mode. If not, the NumPy backend runs the graph.

        Parameters
        ----------
        graph : Graph
            The graph.

        Returns
        -------
        bool
            Whether the backend can run the graph.
        """
        return True

    def copied_bytes(self, graph: Graph) -> int:
        """Return the size of the parameters that a program in prediction mode copies.

        Parameters
        ----------
        graph : Graph
            The traced graph.

        Returns
        -------
        int
            The size in bytes; 0 by default.
        """
        return 0

    def works_in_threads(self, function: PythonSource, types: TypeTable) -> bool:
        """Return whether NumPy uses several threads in a function.

        NumPy uses several threads for large matrix products. This base class always returns False.

        Parameters
        ----------
        function : PythonSource
            The generated function.
        types : TypeTable
            Types of the values.

        Returns
        -------
        bool
            Whether NumPy uses several threads.
        """
        return False

    def start(self, graph: Graph) -> Callable[[], bool]:
        """Start the slow steps of a compilation, such as the run of a C compiler, in the background.

        Parameters
        ----------
        graph : Graph
            The graph.

        Returns
        -------
        callable
            A function that waits for these steps and returns whether they succeeded. Calling this function is optional,
            because :meth:`program` runs the steps that aren't finished.
        """
        return lambda: True

    def program(self, graph: Graph, stages: list[Stage], halves: Halves, settings: Settings) -> Program:
        """Make the program of a graph after all passes.

        Parameters
        ----------
        graph : Graph
            The graph after all passes.
        stages : list of Stage
            The stages of the compilation.
        halves : Halves
            The roots of the program's functions.
        settings : Settings
            The settings of the compilation.

        Returns
        -------
        Program
            The program.
        """
        from .pipeline import Program

        return Program(graph, stages, halves, settings)

    def __repr__(self) -> str:
        return f"<backend {self.name}>"


#: Name -> a function that returns the backend; it is called at the first use of the backend.
BACKENDS: dict[str, Callable[[], Backend]] = {"numpy": Backend}

#: The backends that have been made, by name.
_used: dict[str, Backend] = {}

#: MXNet's names for its CPU backend.
_OF_MXNET = ("MKLDNN", "MKLDNN_QUANTIZE")


def register_backend(name: str, make: Callable[[], Backend]) -> None:
    """Register a backend under a name. The new backend replaces any earlier backend of this name.

    Parameters
    ----------
    name : str
        The name for ``hybridize(backend=...)``.
    make : callable
        A function that returns the backend. It is called once, at the first use of the backend.
    """
    BACKENDS[name] = make
    get_backend.cache_clear()


def default_backend(xp: Any) -> str:
    """Return the name of the default backend for an array module.

    Parameters
    ----------
    xp : module
        NumPy or CuPy.

    Returns
    -------
    str
        The name.
    """
    return "cupy" if xp is not numpy and "cupy" in BACKENDS else "numpy"


@functools.cache
def get_backend(name: str | None) -> Backend:
    """Return the backend with the given name, or the CPU's default backend if the name is None.

    Parameters
    ----------
    name : str or None
        The name.

    Returns
    -------
    Backend
        The backend.

    Raises
    ------
    MXNetError
        If no backend has this name, if a requirement of the backend is not installed, or in a browser, for any name but
        ``"numpy"`` and MXNet's names. A note says what to use or to install instead.

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
        error = MXNetError(f"Error optimizing for backend '{name}': the backend is not registered")
        error.add_note(f"Choose one of these backends: {', '.join(sorted(BACKENDS))}.")
        raise error
    if name != "numpy" and in_browser():
        raise not_here(f"Error optimizing for backend '{name}'", "Leave `backend` out: the program then runs on NumPy.")
    backend = BACKENDS[name]()
    backend.check_available()
    _used[name] = backend
    return backend


def used_backends() -> list[Backend]:
    """Return the backends that this process has used, including the default backend."""
    return list(_used.values())


def _with_onednn() -> Backend:
    """Return the backend for MXNet's oneDNN names: ``onednn`` if oneDNN is installed, else the default backend."""
    if not in_browser():
        with contextlib.suppress(MXNetError):
            return get_backend("onednn")
    return get_backend(None)
