"""Profiles of generated programs, with the time of each line, and of each line of user code.

All lines run in order, in many rounds, in a copy of the program's namespace. Therefore, a line that overwrites its
input gets the same values in every round, and the caches have the same contents as in a call. The time of a line is
the median over the rounds, minus the time of an empty line.
"""

from __future__ import annotations

import copy
import inspect
import itertools
import linecache
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import Any

from ...context import Context
from ..core import parallel
from ..core.codegen import PythonSource
from ..core.graph import TypeTable
from ..core.node import Node
from ..core.pipeline import Program
from ..core.prepared import prepared_values
from ..device import array_modules
from ..support.display import Shown
from .costs import flops_by_line
from .lines_behind import generated_lines, together

__all__ = ["LineTime", "OwnTime", "own_times", "profile_program", "timed_function"]

_MIN_ROUNDS, _MAX_ROUNDS = 5, 200
#: The total time, in seconds, for all rounds of a function, unless the minimum number of rounds takes longer.
_BUDGET = 0.3
_WARM_UP = 2
#: A median, the lower quartile, and the upper quartile.
_Spread = tuple[float, float, float]


@dataclass(frozen=True, repr=False)
class LineTime(Shown):
    """One line of a generated function, and its time.

    Attributes
    ----------
    function : str
        The name of the function, ``"forward"`` or ``"backward"``.
    number : int
        The line number in the function's source code, starting at 1.
    text : str
        The source code of the line.
    operator : str
        The operator of the line; empty for ``del`` and ``return``.
    microseconds : float
        The median time in microseconds.
    percent : float
        The share of the total time of the program's lines, in percent.
    flops : int
        The estimated number of operations.
    gflops_per_second : float
        The achieved rate in billions of operations per second; 0 if no operations are counted or the time is too short.
    lower, upper : float
        The quartiles of the time in microseconds. A large difference is usually a sign that other programs are using
        the machine.
    """

    function: str
    number: int
    text: str
    operator: str
    microseconds: float
    percent: float
    flops: int
    gflops_per_second: float
    lower: float
    upper: float


@dataclass(frozen=True, repr=False)
class OwnTime(Shown):
    """One line of user code, and the time of the program's lines that compute it.

    Lines of user code that share a line of the program, such as the lines of a fused operator, share one time.

    Attributes
    ----------
    file : str
        The file of the first line, or Python's substitute for a file name, such as ``"<ipython-input-3>"``.
    numbers : tuple of int
        The line numbers, starting at 1; several for lines that share one time.
    text : str
        The source code of the lines, separated by ``"  ⏎  "``. For a predefined layer, such as a layer of a
        ``HybridSequential``, it is the line that created the layer.
    microseconds : float
        The median time in microseconds, forward and backward.
    backward : float
        The part of the time that the backward function takes, in microseconds.
    percent : float
        The share of the total time of the program's lines, in percent.
    """

    file: str
    numbers: tuple[int, ...]
    text: str
    microseconds: float
    backward: float
    percent: float


def own_times(program: Program, lines: Sequence[LineTime]) -> tuple[OwnTime, ...]:
    """Return the times of the lines of user code behind a program, in the order of the source.

    Parameters
    ----------
    program : Program
        The program.
    lines : sequence of LineTime
        The times of the program's lines; see :func:`profile_program`.
    """
    times = {(line.function, line.number): line for line in lines}
    behind = [
        (times[function.name, number], tuple(dict.fromkeys(place.written for place in places)))
        for function, number, places in generated_lines(program)
        if places and (function.name, number) in times
    ]
    found = []
    for group in together(places for _, places in behind):
        mine = [time for time, places in behind if places[0] in group]
        found.append(
            OwnTime(
                group[0].file,
                tuple(place.line for place in group),
                "  ⏎  ".join(linecache.getline(place.file, place.line).strip() for place in group),
                sum(time.microseconds for time in mine),
                sum((time.microseconds for time in mine if time.function == "backward"), 0.0),
                sum(time.percent for time in mine),
            )
        )
    return tuple(found)


def profile_program(program: Program, raws: Sequence[Any], ctx: Context) -> list[LineTime]:
    """Measure the time of each line of a program.

    Parameters
    ----------
    program : Program
        The program, whose states aren't written back.
    raws : sequence of array
        The inputs of the program.
    ctx : Context
        The context.

    Returns
    -------
    list of LineTime
        The lines of the forward function, then of the backward function with head gradients of ones.
    """
    types = program.graph.types
    measured = []
    results, seconds = _measure(program.forward, [*raws, *prepared_values(program, raws)], ctx)
    measured += _lines_of(program.forward, seconds, types)
    if program.backward is not None:
        outputs, residuals = results[: program.num_outputs], results[len(results) - program.num_residuals :]
        heads = [array_modules.module_of(y).ones_like(y) for y in itertools.compress(outputs, program.heads)]
        _, seconds = _measure(program.backward, [*raws, *residuals, *heads], ctx)
        measured += _lines_of(program.backward, seconds, types)
    total = sum(us for *_, (us, _, _) in measured)
    return [
        LineTime(
            function, number, text, operator, us, 100 * us / total if total else 0.0, flops,
            1e-3 * flops / us if us else 0.0, lower, upper,
        )
        for function, number, text, operator, flops, (us, lower, upper) in measured
    ]  # fmt: skip


def _lines_of(
    function: PythonSource, seconds: dict[int, _Spread], types: TypeTable
) -> list[tuple[str, int, str, str, int, _Spread]]:
    """Return the function name, number, text, operator, operations, and microseconds of each timed line."""
    numbers: dict[Node, list[int]] = {}
    for number, node in function.line_nodes.items():
        numbers.setdefault(node, []).append(number)
    flops: dict[int, int] = {}
    texts = function.text.splitlines()
    for mine in numbers.values():
        spread = flops_by_line(function.line_nodes[mine[0]], types, [texts[number - 1] for number in mine])
        flops.update(zip(mine, spread, strict=True))
    rows = []
    for number, text in enumerate(texts, 1):
        if number in seconds:
            node = function.line_nodes.get(number)
            name = "" if node is None or node.op is None else node.op.name
            median, lower, upper = seconds[number]
            microseconds = 1e6 * median, 1e6 * lower, 1e6 * upper
            rows.append((function.name, number, text.strip(), name, flops.get(number, 0), microseconds))
    return rows


def _measure(
    function: PythonSource, arguments: Sequence[Any], ctx: Context
) -> tuple[Sequence[Any], dict[int, _Spread]]:
    """Return the function's results, and the median time of each line and its quartiles in seconds, by line number."""
    given = list(arguments)
    if function.uses_generator:
        generator = array_modules.generator(ctx)
        # On the CPU, a copy of the generator is used, so that the profile doesn't change the user's random numbers.
        given.append(generator if ctx.device_typeid == 2 else copy.deepcopy(generator))
    # An arena is never returned, because it holds the results.
    run = function.function if function.workspaces is None else function.workspaces.take()
    is_alone = hasattr(run, "plain") and ctx.device_typeid != 2
    run = getattr(run, "plain", run)  # the launches of a CUDA graph are measured line by line
    code = run.__code__
    names = dict(zip(code.co_varnames[: code.co_argcount], given, strict=True))
    names.update(inspect.getclosurevars(run).nonlocals)
    wait: Callable[[], None] | None = array_modules.synchronize if ctx.device_typeid == 2 else None
    lines: list[tuple[int, CodeType]] = []
    for number, text in enumerate(function.text.splitlines()[1:], 2):
        line = text.strip()
        if line.startswith("return "):
            line = f"results_of_function = {line.removeprefix('return ')}"
        lines.append((number, compile(line, function.filename, "exec")))
    empty = compile("pass", "<empty line>", "exec")
    times: dict[int, list[float]] = {number: [] for number, _ in lines}
    idle: list[float] = []
    namespace: dict[str, Any] = {}

    def run_lines() -> None:
        for number, line in lines:
            times[number].append(_time_of(line, namespace, wait))

    # As in a call, products use fewer threads if another library or another process needs the cores.
    if is_alone:
        run_lines = parallel.threads.alone(run_lines)
    start = time.perf_counter()
    rounds = 0
    while rounds < _MIN_ROUNDS + _WARM_UP or (rounds < _MAX_ROUNDS and time.perf_counter() - start < _BUDGET):
        namespace = {**function.namespace, **names}
        idle.append(_time_of(empty, namespace, wait))
        if function.threaded and not is_alone:
            parallel.threads.run(run_lines)
        else:
            run_lines()
        rounds += 1
    nothing = statistics.median(idle)
    spreads: dict[int, _Spread] = {}
    for number, found in times.items():
        quartiles = statistics.quantiles(found[_WARM_UP:], method="inclusive")
        lower, median, upper = (max(seconds - nothing, 0.0) for seconds in quartiles)
        spreads[number] = median, lower, upper
    return namespace["results_of_function"], spreads


def timed_function(
    function: PythonSource, run: Callable[..., Any], note: Callable[[int, float, float], None]
) -> Callable[..., Any]:
    """Return a function that runs a generated function line by line and reports the time of each line.

    If the function is not Python code, the result is ``run``.

    Parameters
    ----------
    function : PythonSource
        The generated function.
    run : callable
        The function's callable, or the callable that runs the function in an arena.
    note : callable
        A function to call with the number of each line, and with the line's start and end by ``time.perf_counter``.
    """
    run = getattr(run, "plain", run)
    code = getattr(run, "__code__", None)
    if code is None or code.co_filename != function.filename:
        if function.workspaces is None:
            return run
        run = function.workspaces.take()
        run = getattr(run, "plain", run)
        code = run.__code__
    lines = []
    for number, text in enumerate(function.text.splitlines()[1:], 2):
        line = text.strip()
        if line.startswith("return "):
            line = f"results_of_function = {line.removeprefix('return ')}"
        lines.append((number, compile(line, function.filename, "exec")))
    names = code.co_varnames[: code.co_argcount]

    def timed(*given: Any) -> Any:
        namespace = {**function.namespace, **inspect.getclosurevars(run).nonlocals}
        namespace.update(zip(names, given, strict=True))
        for number, line in lines:
            start = time.perf_counter()
            exec(line, namespace)
            note(number, start, time.perf_counter())
        return namespace["results_of_function"]

    return timed


def _time_of(code: CodeType, namespace: dict[str, Any], wait: Callable[[], None] | None) -> float:
    start = time.perf_counter()
    exec(code, namespace)
    if wait is not None:
        wait()
    return time.perf_counter() - start
