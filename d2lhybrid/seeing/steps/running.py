"""Watching a generated program run: after each line, what it computed, and which memory is in use."""

from __future__ import annotations

import ast
import linecache
import math
import time
from dataclasses import dataclass
from types import FrameType
from typing import Any

import numpy

from ...device import backend
from ...support.printing import printed

__all__ = ["LineRun", "ProgramWatch", "Summary", "summary_of", "target_of"]

#: How many numbers of a value are shown.
_FIRST = 4


@dataclass(frozen=True)
class Summary:
    """A value in a few numbers.

    Attributes
    ----------
    shape : tuple of int
    dtype : str
    smallest, mean, largest : float or None
        None where there is no number: in an empty array.
    first : tuple of float
        The first elements.
    """

    shape: tuple[int, ...]
    dtype: str
    smallest: float | None
    mean: float | None
    largest: float | None
    first: tuple[float, ...]

    @property
    def text(self) -> str:
        """Type, shape and the first numbers."""
        numbers = ", ".join(short(v) for v in self.first) + (", …" if math.prod(self.shape) > len(self.first) else "")
        return f"{self.dtype}{list(self.shape)}  [{numbers}]"

    @printed
    def __str__(self) -> str:
        return self.text


def short(value: float | None) -> str:
    """Return a number with four significant digits.

    Examples
    --------
    >>> short(0.123456), short(3.0), short(None)
    ('0.1235', '3', '')
    """
    return "" if value is None else f"{value:.4g}"


def summary_of(value: Any) -> Summary:
    """Return the summary of an array.

    Examples
    --------
    >>> str(summary_of(numpy.arange(6, dtype="float32").reshape(2, 3)))
    'float32[2, 3]  [0, 1, 2, 3, …]'
    """
    array = numpy.asarray(backend.asnumpy(value))
    first = tuple(float(v) for v in array.ravel()[:_FIRST].astype("float64"))
    if not array.size:
        return Summary(array.shape, array.dtype.name, None, None, None, ())
    with numpy.errstate(all="ignore"):
        exact = array.astype("float64")
        return Summary(
            array.shape, array.dtype.name, float(exact.min()), float(exact.mean()), float(exact.max()), first
        )


@dataclass
class LineRun:
    """One line of a generated function that ran.

    Attributes
    ----------
    number : int
        The line, from 1.
    name : str
        What it computed, or wrote over; empty for ``del`` and ``return``.
    value : Summary or None
        The value afterwards.
    memory : int or None
        Which piece of memory holds it: a number that is given out once.
    given : bool
        Whether that memory is an argument's, or a constant's.
    over : str
        The name of another value whose memory the line wrote over.
    nbytes : int
        Size of that piece of memory.
    live : tuple of int
        The pieces that the function's own values hold afterwards.
    microseconds : float
        How long the line took, this once, while it was watched.
    others : tuple of (str, int, int)
        Further values that the line computed: name, memory, bytes.
    results : tuple of Summary
        What the function returned, for its last line.
    """

    number: int
    name: str
    value: Summary | None
    memory: int | None
    given: bool
    over: str
    nbytes: int
    live: tuple[int, ...]
    microseconds: float
    results: tuple[Summary, ...] = ()
    others: tuple[tuple[str, int, int], ...] = ()


def target_of(line: str) -> str:
    """Return the name that a line of a generated program gives a value to, or writes over.

    Examples
    --------
    >>> [target_of(t) for t in ("y = dot(x, w.T)", "y += b", "add(y, b[None], y)", "del y", "exp(x, out=z.T)")]
    ['y', 'y', 'y', '', 'z']
    >>> target_of("copyto(y.reshape(2, 3), x)")
    'y'
    """
    try:
        (statement,) = ast.parse(line.strip()).body
    except (SyntaxError, ValueError):
        return ""
    if isinstance(statement, ast.Assign):
        target = statement.targets[0]
        target = target.elts[0] if isinstance(target, ast.Tuple) else target
    elif isinstance(statement, ast.AugAssign):
        target = statement.target
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        copies = isinstance(call.func, ast.Name) and call.func.id.startswith("copyto")  # to its first argument
        last = call.args[0 if copies else -1] if call.args else call
        target = next((k.value for k in call.keywords if k.arg == "out"), last)
    else:
        return ""
    while isinstance(target, ast.Subscript | ast.Attribute | ast.Call):  # a view of what is written to
        target = target.func if isinstance(target, ast.Call) else target.value
    return target.id if isinstance(target, ast.Name) else ""


def owner_of(array: Any) -> Any:
    """Return the object that owns an array's memory."""
    while getattr(array, "base", None) is not None:
        array = array.base
    return array


def address_of(array: Any) -> int:
    """Return where an array's memory begins."""
    interface = getattr(array, "__array_interface__", None)
    return int(interface["data"][0] if interface is not None else array.data.ptr)


def nbytes_of(owner: Any) -> int:
    """Return the size of what :func:`owner_of` returned."""
    return int(getattr(owner, "nbytes", 0) or getattr(owner, "size", 0) or 0)


class ProgramWatch:
    """Follows one run of a generated function.

    Parameters
    ----------
    runs : dict
        Where the list of lines goes, under the function's name.
    name : str
        ``"forward"`` or ``"backward"``.
    failed : dict
        Where the line goes at which it failed.
    """

    next: int

    def __init__(self, runs: dict[str, list[LineRun]], name: str, failed: dict[str, int]) -> None:
        self.name, self.failed = name, failed
        self.lines: list[LineRun] = []
        runs[name] = self.lines
        self.numbers: dict[int, int] = {}  # id of a living owner -> its number
        self.next = 0
        self.given: dict[int, Any] = {}
        self.arenas: dict[int, Any] = {}  # owners of the memory that the function was made with
        self.used: set[int] = set()  # the pieces of it that hold values
        self.last: tuple[int, float] | None = None
        self.before: dict[str, int] = {}  # name -> its memory, before the line that runs now
        self.names: set[str] = set()
        self.fixed: dict[str, Any] = {}  # arguments, as long as they are what they were

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        """Hear of a line, or of the end."""
        ended = time.perf_counter()
        if event == "line":
            if self.last is None:
                self._begin(frame)
            else:
                self._end_line(frame, ended)
            self.last = frame.f_lineno, time.perf_counter()
        elif event == "exception" and self.last is not None:  # there is no try in a program: it ends here
            self.failed[self.name] = frame.f_lineno - frame.f_code.co_firstlineno + 1
            self.last = None
        elif event == "return" and self.last is not None:
            self._end_line(frame, ended, argument if isinstance(argument, tuple) else ())

    def _begin(self, frame: FrameType) -> None:
        enclosed = set(frame.f_code.co_freevars)
        local = {n: v for n, v in frame.f_locals.items() if hasattr(v, "dtype")}
        for name, value in [*local.items(), *frame.f_globals.items()]:
            if hasattr(value, "dtype"):
                owner = owner_of(value)
                kept = self.arenas if name in enclosed else self.given
                kept[id(owner)] = owner  # kept: another object cannot get its identity
        self.names = enclosed & local.keys()
        # Of a deep net these are most: what was given is nobody else's memory, and has no line to end.
        self.fixed = {n: v for n, v in local.items() if n not in enclosed and id(owner_of(v)) not in self.arenas}

    def _memory_of(self, array: Any) -> tuple[int, bool, int]:
        """Return the number of an array's memory, whether it was given, and its size."""
        owner = owner_of(array)
        key, nbytes = id(owner), nbytes_of(owner)
        if key in self.arenas:  # pieces of an arena are told apart by where they begin
            key, nbytes = -address_of(array), int(array.nbytes)
        if key not in self.numbers:
            self.numbers[key] = self.next
            self.next += 1
        return self.numbers[key], key in self.given, nbytes

    def _end_line(self, frame: FrameType, ended: float, returned: tuple[Any, ...] = ()) -> None:
        assert self.last is not None
        number, started = self.last
        every, fixed = frame.f_locals, self.fixed
        local = {n: v for n, v in every.items() if fixed.get(n) is not v and hasattr(v, "dtype")}
        living = {id(owner_of(v)) for v in local.values()}
        # What is gone may give its identity to something new: that must get a number of its own.
        gone = [key for key in self.numbers if key > 0 and key not in living and key not in self.given]
        fresh = [n for n in local if n not in self.names and id(owner_of(local[n])) not in self.given]
        before = self.before
        for key in gone:
            del self.numbers[key]
        name = target_of(_line_text(frame, number))
        value = local.get(name, fixed.get(name) if name in every else None)
        memory: int | None = None
        given, over, nbytes, summary = False, "", 0, None
        if value is not None:
            memory, given, nbytes = self._memory_of(value)
            summary = summary_of(value)
            if not given:
                over = next((n for n, m in before.items() if m == memory and n != name), "")
        others = []
        for n in fresh:
            place, is_given, size = self._memory_of(local[n])
            if n != name and not is_given:
                others.append((n, place, size))
        self.before = {}
        live: dict[int, None] = {}
        for n, v in local.items():
            place, is_given, _ = self._memory_of(v)
            self.before[n] = place
            if n == name and id(owner_of(v)) in self.arenas:
                self.used.add(place)
            if not is_given and (place in self.used or id(owner_of(v)) not in self.arenas):
                live[place] = None
        self.names = set(local)
        results = tuple(summary_of(r) for r in returned)
        took, row = 1e6 * (ended - started), number - frame.f_code.co_firstlineno + 1
        self.lines.append(
            LineRun(
                row,
                name,
                summary,
                memory,
                given,
                over,
                nbytes,
                tuple(live),
                took,
                results,
                tuple(others),
            )
        )


def _line_text(frame: FrameType, number: int) -> str:
    return linecache.getline(frame.f_code.co_filename, number)
