"""Observation of a running program: the values and the memory in use after each line."""

from __future__ import annotations

import ast
import dis
import functools
import linecache
import math
import time
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

import numpy

from ...device import array_modules
from ...support.display import Shown
from ...support.printing import printed

__all__ = ["LineRun", "ProgramWatch", "Summary", "summary_of", "target_of"]

#: The number of displayed elements of a value.
_FIRST = 4


@dataclass(frozen=True, repr=False)
class Summary(Shown):
    """A summary of an array: type, statistics, and first elements.

    Attributes
    ----------
    shape : tuple of int
        Shape of the value.
    dtype : str
        Element type.
    smallest, mean, largest : float or None
        Statistics; None for an empty array.
    first : tuple of float
        First elements.
    """

    shape: tuple[int, ...]
    dtype: str
    smallest: float | None
    mean: float | None
    largest: float | None
    first: tuple[float, ...]

    @property
    def text(self) -> str:
        """The element type, the shape, and the first elements."""
        numbers = ", ".join(short(v) for v in self.first) + (", …" if math.prod(self.shape) > len(self.first) else "")
        return f"{self.dtype}{list(self.shape)}  [{numbers}]"

    @printed
    def __str__(self) -> str:
        return self.text


def short(value: float | None) -> str:
    """Return a number as text with four significant digits; empty for None.

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
    array = numpy.asarray(array_modules.asnumpy(value))
    first = tuple(float(v) for v in array.ravel()[:_FIRST].astype("float64"))
    if not array.size:
        return Summary(array.shape, array.dtype.name, None, None, None, ())
    with numpy.errstate(all="ignore"):
        exact = array.astype("float64")
        return Summary(
            array.shape, array.dtype.name, float(exact.min()), float(exact.mean()), float(exact.max()), first
        )


@dataclass(repr=False)
class LineRun(Shown):
    """A line of a generated function that ran.

    Attributes
    ----------
    number : int
        Number of the line, from 1.
    name : str
        Name that the line computed or overwrote; empty for ``del`` and ``return``.
    value : Summary or None
        Value after the line; None if the line computed no array.
    memory : int or None
        Unique number of the memory block that contains the value.
    given : bool
        Whether the memory block belongs to an argument or a constant.
    over : str
        Name of another value, whose memory the line overwrote; empty for none.
    nbytes : int
        Size of the memory block.
    live : tuple of int
        Memory blocks that contain the function's own values after the line.
    microseconds : float
        Time of the line in this observed run.
    others : tuple of (str, int, int)
        Name, memory number, and bytes of each further value that the line computed.
    results : tuple of Summary
        Returned values, for the last line.
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


@functools.lru_cache(1 << 14)
def target_of(line: str) -> str:
    """Return the name that a line of a generated program assigns or overwrites, or an empty string.

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
    while isinstance(target, ast.Subscript | ast.Attribute | ast.Call):  # the target may be a view
        target = target.func if isinstance(target, ast.Call) else target.value
    return target.id if isinstance(target, ast.Name) else ""


def owner_of(array: Any) -> Any:
    """Return the object that owns an array's memory."""
    while getattr(array, "base", None) is not None:
        array = array.base
    return array


def address_of(array: Any) -> int:
    """Return the address of an array's memory."""
    interface = getattr(array, "__array_interface__", None)
    return int(interface["data"][0] if interface is not None else array.data.ptr)


def nbytes_of(owner: Any) -> int:
    """Return the size of the memory of an object from :func:`owner_of`, in bytes."""
    return int(getattr(owner, "nbytes", 0) or getattr(owner, "size", 0) or 0)


class ProgramWatch:
    """A tracer of one run of a generated function.

    A program may have thousands of names, but a line changes only a few, so the tracer keeps the other names' state.

    Parameters
    ----------
    runs : dict
        Destination for the list of lines, under the function's name.
    name : str
        ``"forward"`` or ``"backward"``.
    failed : dict
        Destination for the number of the failing line.
    """

    def __init__(self, runs: dict[str, list[LineRun]], name: str, failed: dict[str, int]) -> None:
        self.name, self.failed = name, failed
        self.lines: list[LineRun] = []
        runs[name] = self.lines
        self.numbers: dict[int, int] = {}  # id of an existing owner -> its number
        self.next = 0
        self.given: dict[int, Any] = {}
        self.arenas: dict[int, Any] = {}  # owners of the memory that the function was created with
        self.used: set[int] = set()  # memory blocks of arenas that contain values
        self.last: tuple[int, float] | None = None
        self.values: dict[str, int] = {}  # name -> id of its value; arguments keep their entries until they change
        self.fixed: dict[str, Any] = {}  # arguments with separate memory
        self.owners: dict[str, int] = {}  # name of an own value -> id of the owner of its memory
        self.names_of: dict[int, dict[str, None]] = {}  # id of an owner -> names whose values it contains
        self.places: dict[str, int] = {}  # name of an own value -> number of its memory
        self.names_at: dict[int, dict[str, None]] = {}  # number of a memory block -> names that refer to it
        self.live: dict[int, None] = {}
        self.enclosed: set[str] = set()
        self.first: dict[str, None] = {}  # own values that existed at the start; they are reported with the first line
        self.rank: dict[str, int] = {}  # order in which names were assigned
        self.named = 0
        self.stores: dict[int, dict[str, None]] = {}  # line -> names that it may assign or delete

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        """Handle a line event, or the end of the function."""
        ended = time.perf_counter()
        if event == "line":
            if self.last is None:
                self._begin(frame)
            else:
                self._end_line(frame, ended)
            self.last = frame.f_lineno, time.perf_counter()
        elif event == "exception" and self.last is not None:  # programs have no try statements, so the function ends
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
                kept[id(owner)] = owner  # kept alive, so that its id stays unique
        self.enclosed = enclosed & local.keys()
        # Arguments, which are most values of a deep net, have separate memory and are never freed.
        self.fixed = {n: v for n, v in local.items() if n not in enclosed and id(owner_of(v)) not in self.arenas}
        self.values = {n: id(v) for n, v in self.fixed.items()}
        self.stores = _stores(frame.f_code)
        self.first = dict.fromkeys(n for n in local if n not in self.fixed)

    def _memory_of(self, array: Any) -> tuple[int, bool, int]:
        """Return the number of an array's memory, whether an argument owns the memory, and its size in bytes."""
        owner = owner_of(array)
        key, nbytes = id(owner), nbytes_of(owner)
        if key in self.arenas:  # pieces of an arena are identified by their offsets
            key, nbytes = -address_of(array), int(array.nbytes)
        if key not in self.numbers:
            self.numbers[key] = self.next
            self.next += 1
        return self.numbers[key], key in self.given, nbytes

    def _changed(self, every: Any, line: int) -> tuple[dict[str, Any], list[str]]:
        """Return the values that a line assigned, in the order of names, and the names with a lost earlier value."""
        values, names = self.values, {**self.first, **self.stores.get(line, {})}
        self.first = {}
        changed = [n for n in names if n in every and values.get(n) != id(every[n])]
        lost = [n for n in names if n in values and n not in every]
        for name in lost:
            del values[name]
            self.rank.pop(name, None)
        for name in changed:
            values[name] = id(every[name])
            if name not in self.rank:
                self.rank[name] = self.named = self.named + 1
        made = {n: every[n] for n in sorted(changed, key=self.rank.__getitem__) if hasattr(every[n], "dtype")}
        return made, [n for n in (*changed, *lost) if n in self.places]

    def _forget(self, name: str) -> None:
        """Remove a value whose name was deleted, and the number of its memory if no value uses the memory."""
        place, key = self.places.pop(name), self.owners.pop(name)
        del self.names_at[place][name], self.names_of[key][name]
        if not self.names_at[place]:
            self.live.pop(place, None)
        if not self.names_of[key]:
            del self.names_of[key]

    def _end_line(self, frame: FrameType, ended: float, returned: tuple[Any, ...] = ()) -> None:
        assert self.last is not None
        number, started = self.last
        every = frame.f_locals
        name = target_of(_line_text(frame, number))
        made, old = self._changed(every, number)
        value = every.get(name)
        value = value if hasattr(value, "dtype") else None
        known = {n for n in old if n in made} | (self.enclosed if not self.lines else set())
        # The names that shared a memory block before the line; the line overwrote one of them.
        before = {n: self.places[n] for n in old}
        keys = {self.owners[n] for n in old}
        for n in old:
            self._forget(n)
        for n, v in made.items():
            self.owners[n] = key = id(owner_of(v))
            self.names_of.setdefault(key, {})[n] = None
        # A new object may reuse the id of a freed object and must get a new number.
        for key in keys:
            if key not in self.names_of and key not in self.given:
                self.numbers.pop(key, None)
        memory: int | None = None
        given, over, nbytes, summary = False, "", 0, None
        if value is not None:
            memory, given, nbytes = self._memory_of(value)
            summary = summary_of(value)
            if not given:
                shown = [*self.names_at.get(memory, ()), *(n for n, m in before.items() if m == memory)]
                over = min((n for n in shown if n != name), key=self.rank.__getitem__, default="")
        others = []
        for n, v in made.items():
            if n in known or id(owner_of(v)) in self.given:
                continue
            place, is_given, size = self._memory_of(v)
            if n != name and not is_given:
                others.append((n, place, size))
        for n, v in made.items():
            self.places[n] = place = self._memory_of(v)[0]
            self.names_at.setdefault(place, {})[n] = None
        if value is not None and memory is not None and id(owner_of(value)) in self.arenas:
            self.used.add(memory)
        for place in {*(self.places[n] for n in made), *(() if memory is None else (memory,))}:
            names = self.names_at.get(place)
            if names:
                key = self.owners[next(iter(names))]
                if place in self.used if key in self.arenas else key not in self.given:
                    self.live[place] = None
        results = tuple(summary_of(r) for r in returned)
        took, row = 1e6 * (ended - started), number - frame.f_code.co_firstlineno + 1
        live = tuple(self.live)
        self.lines.append(LineRun(row, name, summary, memory, given, over, nbytes, live, took, results, tuple(others)))


def _stores(code: CodeType) -> dict[int, dict[str, None]]:
    """Return the names that each line of a function may assign or delete.

    Examples
    --------
    >>> def f(x):
    ...     y, z = x
    ...     del x
    ...     return y
    >>> [list(names) for names in _stores(f.__code__).values()]
    [['y', 'z'], ['x']]
    """
    found: dict[int, dict[str, None]] = {}
    for step in dis.get_instructions(code):
        if step.opname.startswith(("STORE_FAST", "DELETE_FAST", "STORE_DEREF", "DELETE_DEREF")):
            line = step.positions.lineno if step.positions is not None else None
            names = step.argval if isinstance(step.argval, tuple) else (step.argval,)
            found.setdefault(line or code.co_firstlineno, {}).update(dict.fromkeys(names))
    return found


def _line_text(frame: FrameType, number: int) -> str:
    return linecache.getline(frame.f_code.co_filename, number)
