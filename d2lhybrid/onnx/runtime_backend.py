"""The ONNX Runtime backend, which runs predictions of a net as an ONNX model in a session.

The backend pays off for large convolutions, where ONNX Runtime's kernels are faster than NumPy's products. A session
contains copies of the parameters, so the backend creates a new session whenever other backends would recompute the
values that depend only on parameters. If oneDNN is installed, it runs the operators from the first large parameter on
(:mod:`.division`). NumPy runs programs with gradients, in training mode, with random operators, or on a GPU.

ONNX Runtime starts one thread for each core of this process. These threads run on cores other than the caller's core
(:mod:`d2lhybrid.internals.compiler.threads.placement`). Results are in ONNX Runtime's own memory, which it reuses when
no array refers to the results. A forked child has none of these threads and would wait for them forever, so the child
starts its own session in its first call.

"""

from __future__ import annotations

import functools
import importlib.util
import os
import time
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ..error import MXNetError
from ..internals.compiler import onednn, threads
from ..internals.compiler.backends.python_backend import PythonBackend
from ..internals.compiler.memory import MemoryPlan
from ..internals.compiler.threads.placement import Apart, started_by
from ..internals.compiler.threads.processors import cores
from ..internals.core.backends import get_backend
from ..internals.core.codegen import PythonSource, split
from ..internals.core.graph import Graph
from ..internals.core.interpret import interpret
from ..internals.support import clock
from ..internals.support.install_commands import extra_command
from ..internals.support.locks import new_lock
from ..symbol import Symbol
from .division import Division, divide
from .runtime_graph import for_onnx_runtime

if TYPE_CHECKING:
    from ..internals.core.codegen import Halves
    from ..internals.core.pipeline import Program, Settings, Stage

__all__ = ["OnnxRuntimeBackend"]


class OnnxRuntimeBackend(PythonBackend):
    """A backend that runs predictions in a session of ONNX Runtime, and all other programs on NumPy."""

    name = "onnxruntime"

    def check_available(self) -> None:
        """Raise an error if ``onnx`` or ``onnxruntime`` is not installed.

        Raises
        ------
        MXNetError
            If a package is missing. A note contains the install command.
        """
        missing = [name for name in ("onnx", "onnxruntime") if importlib.util.find_spec(name) is None]
        if missing:
            error = MXNetError(f"Error optimizing for backend 'onnxruntime': missing packages: {', '.join(missing)}")
            error.add_note(f"Install them with: {extra_command('onnx')}")
            raise error

    def takes(self, graph: Graph) -> bool:
        """Return whether a session can run a graph.

        A session draws no random numbers, and rejects some empty arrays.

        Parameters
        ----------
        graph : Graph
            The graph.

        Returns
        -------
        bool
            Whether a session can run the graph.
        """
        random = any(node.op is not None and node.op.draws(node.params) for node in graph.nodes)
        empty = any(0 in graph.types[node, 0].shape for node in graph.nodes)
        return bool(graph.num_data) and not random and not empty

    def copied_bytes(self, graph: Graph) -> int:
        """Return the size in bytes of the parameters that a session copies."""
        division = _division(graph)
        copied = graph if division is None else division.front
        return sum(copied.types[node, 0].nbytes for node in copied.inputs[copied.num_data :])

    def program(self, graph: Graph, stages: list[Stage], halves: Halves, settings: Settings) -> Program:
        """Return a program that runs a session, or NumPy's program if a session cannot run the graph.

        The parameters are those of :meth:`d2lhybrid.internals.core.backends.Backend.program`.

        Returns
        -------
        Program
            The program.
        """
        from ..internals.core.pipeline import finish_stage

        program = super().program(graph, stages, halves, settings)
        if settings.recording or settings.training or settings.xp is not numpy or not self.takes(graph):
            return program
        start = time.perf_counter()
        traced = stages[0].graph
        front, rest = traced, None
        if (division := _division(traced)) is not None:
            front, rest = division.front, _program_of(division.rest, settings)
            program.other_source = rest.source
        front = for_onnx_runtime(front)
        program.prepare, program.forward = _prepare(traced, front, rest), _forward(traced, front, rest)
        program.forward_states = []  # ``prepare`` writes states, which depend only on parameters in prediction
        finish_stage(stages, "make ONNX model", stages[-1].graph, start)
        return program


def _division(graph: Graph) -> Division | None:
    """Return the parts of a graph; None if a session runs the whole graph.

    Only oneDNN runs the rest: the threads of NumPy's products and those of a session slow each other down.
    """
    return divide(graph) if onednn.is_available() else None


def _names(graph: Graph) -> list[str]:
    """Return generated names of the inputs for the functions, because the inputs' own names may be any strings."""
    return [f"data{i}" if i < graph.num_data else f"parameter{i}" for i in range(len(graph.inputs))]


def _program_of(rest: Graph, settings: Settings) -> Program:
    """Return oneDNN's program of the operators after the session."""
    from ..internals.core.pipeline import Stage, run_passes

    backend = get_backend("onednn")
    settings = settings._replace(backend=backend, static_alloc=False, static_shape=False)
    final = run_passes(rest, None, settings)
    return backend.program(final, [Stage("infer", rest, 0.0)], split(final), settings)


def _prepare(graph: Graph, front: Graph, rest: Program | None) -> PythonSource:
    """Return the function that creates a session from the parameters, and computes the prepared values of the rest."""
    names = _names(graph)
    name_of = dict(zip(graph.inputs, names, strict=True))
    shapes = ", ".join(str(graph.types[n, 0]) for n in graph.inputs[: graph.num_data])
    values = [f"make_session([{', '.join(name_of[node] for node in front.inputs)}])"]

    def make_session(arrays: Sequence[Any]) -> _Session:
        session = _Session(functools.partial(_start, front, arrays, stops=rest is not None))
        _write_states(front, arrays)
        return session

    namespace: dict[str, Any] = {"make_session": make_session}
    if rest is not None and rest.prepare is not None:
        unknown = ["None"] * len(front.outputs)  # no prepared value depends on data
        values.append(f"*prepare_rest({', '.join([*unknown, *names])})")
        namespace["prepare_rest"] = rest.prepare.function
    text = f"def prepare({', '.join(names)}):  # for {shapes}\n    return {', '.join(values)},\n"
    source = _source("prepare", text, namespace)
    source.threaded = rest is not None and rest.prepare is not None and rest.prepare.threaded
    return source


def _forward(graph: Graph, front: Graph, rest: Program | None) -> PythonSource:
    """Return the function that runs a session, and the rest with the session's results."""
    names = _names(graph)
    used = set(front.nodes)
    given = [f"names[{i}]: in_order({names[i]})" for i in range(graph.num_data) if graph.inputs[i] in used]
    run = f"results(session.run({{{', '.join(given)}}}))"
    in_order = functools.partial(numpy.asarray, order="C")  # ascontiguousarray would add an axis to a scalar
    namespace = {"names": [n.name for n in graph.inputs], "in_order": in_order, "results": _results}
    if rest is None:
        return _source("forward", f"def forward({', '.join(names)}, session):\n    return {run}\n", namespace)
    lines = [
        f"def forward({', '.join(names)}, session, *prepared):",
        f"    front = {run}",
        f"    return rest(*front, {', '.join(names)}, *prepared)",
    ]
    source = _source("forward", "\n".join(lines) + "\n", {**namespace, "rest": rest.forward.function})
    source.threaded = rest.forward.threaded
    return source


#: NumPy's canonical types by type number, for equal types that are not identical.
_USUAL = {
    kind.num: usual
    for kind in map(numpy.dtype, numpy.typecodes["AllInteger"])
    if (usual := numpy.dtype(kind.name)).num != kind.num
}


def _results(arrays: Sequence[Any]) -> list[Any]:
    """Return arrays with NumPy's canonical types. ONNX Runtime's 64-bit integers have an equal, not identical type."""
    return [a.view(_USUAL[a.dtype.num]) if a.dtype.num in _USUAL else a for a in arrays]


def _source(name: str, text: str, namespace: dict[str, Any]) -> PythonSource:
    """Return a source in which no line belongs to a single operator."""
    return PythonSource(name, text, namespace, {}, MemoryPlan({}, {}, {}, {}, 0), uses_generator=False, labels={})


def _start(graph: Graph, arrays: Sequence[Any], stops: bool = False) -> tuple[Any, set[int]]:
    """Return a session for the current parameters, and the IDs of its threads.

    If `stops` is True, these threads stop at the end of each run. By default, they wait actively for the next run, on
    the cores that the rest of a divided graph uses meanwhile.
    """
    import onnxruntime  # pyright: ignore[reportMissingImports]

    from . import to_onnx

    data = graph.inputs[: graph.num_data]
    params = {n.name: a for n, a in list(zip(graph.inputs, arrays, strict=True))[graph.num_data :]}
    shapes = {n.name: graph.types[n, 0].shape for n in data}
    types = {n.name: graph.types[n, 0].dtype for n in data}
    model = to_onnx(Symbol(list(graph.outputs)), params, shapes, types)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = _count_threads()
    if stops:
        options.add_session_config_entry("session.force_spinning_stop", "1")
    text = model.SerializeToString()
    try:
        session, helpers = started_by(
            lambda: onnxruntime.InferenceSession(text, options, providers=["CPUExecutionProvider"]), "onnx"
        )
    except Exception as error:  # ONNX Runtime documents no base class for its errors
        raise _cannot_run(error) from error
    return session, helpers


def _count_threads() -> int:
    """Return the number of threads of a session, including its caller, or 0 for ONNX Runtime's default.

    By default, ONNX Runtime starts a thread for each core of the machine, even if the process may use only some cores.
    It binds each thread to a core, possibly to the caller's core.
    """
    count = cores()
    return min(count, threads.brake.limit) if count else 0


class _Session:
    """A session of ONNX Runtime whose threads run on cores other than the caller's core.

    Parameters
    ----------
    start : callable
        Function that returns an ``onnxruntime.InferenceSession`` and the IDs of its threads. A forked child calls it
        again.
    """

    def __init__(self, start: Callable[[], tuple[Any, Iterable[int]]]) -> None:
        self._start = start
        self._calling = new_lock()
        self._run: Callable[..., list[Any]] | None = None
        self._open()
        _sessions.add(self)

    def _open(self) -> Callable[..., list[Any]]:
        session, helpers = self._start()
        self._names = [output.name for output in session.get_outputs()]
        self._apart = Apart(helpers)
        self._run = session.run
        return session.run

    def run(self, given: dict[str, Any]) -> list[Any]:
        """Return the outputs for inputs by name."""
        run = self._run
        if run is None:
            with self._calling:
                run = self._run or self._open()
        if not self._calling.acquire(blocking=False):  # another caller is using the threads, so they are not moved
            return run(self._names, given)
        try:
            self._apart.follow()
            return run(self._names, given)
        finally:
            self._calling.release()

    def abandon(self) -> None:
        """Abandon the session of the parent process in a forked child."""
        if self._run is not None:
            _leak(self._run)
            self._run = None


#: The sessions of this process.
_sessions: weakref.WeakSet[_Session] = weakref.WeakSet()


def _leak(value: Any) -> None:
    """Keep an object alive forever, because its destructor would wait for threads that don't exist."""
    import ctypes

    ctypes.pythonapi.Py_IncRef(ctypes.py_object(value))


def _abandon_sessions() -> None:
    for session in [*_sessions]:
        session.abandon()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_abandon_sessions)


def _write_states(graph: Graph, arrays: Sequence[Any]) -> None:
    """Write the state updates of the graph. The session has the old states, so the next call needs a new session."""
    values = dict(zip(graph.inputs, arrays, strict=True))
    new = interpret([update.value for update in graph.updates], values)
    for update, value in zip(graph.updates, new, strict=True):
        target = values[update.variable]
        if not numpy.array_equal(target, value):
            clock.note_write([target])
            target[...] = value
            clock.note_write([target])


def _cannot_run(error: Exception) -> MXNetError:
    """Return the error for a model that ONNX Runtime rejects, usually because of an unsupported element type."""
    said = str(error).rpartition(" : ")[2].strip() or type(error).__name__
    refused = MXNetError(f"ONNX Runtime cannot run this net: {said}")
    refused.add_note(
        "ONNX Runtime supports most operators only for float32. Cast the net and the inputs to float32, or call "
        "net.hybridize(backend=None)."
    )
    return refused
