"""Have something happen at the n-th line of this package that runs."""

from __future__ import annotations

import contextlib
import dis
import functools
import itertools
import os
import sys
import threading
import types
from collections.abc import Callable, Iterator
from typing import Any

import d2lhybrid

PACKAGE = os.path.dirname(os.path.abspath(d2lhybrid.__file__)) + os.sep
#: Generated programs are lines of this package, too.
GENERATED = "<d2lhybrid"


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, as the tests raise it."""


@functools.cache
def _ends(code: types.CodeType) -> frozenset[int]:
    """Return where a ``with`` statement begins to call ``__exit__``, without an exception or with one."""
    steps = list(dis.get_instructions(code))
    nothing = [step.opname == "LOAD_CONST" and step.argval is None for step in steps]
    found = set()
    for k in range(len(steps) - 2):
        if all(nothing[k : k + 3]):
            found.add(steps[k].offset)
            while steps[k - 1].opname in ("SWAP", "NOP"):  # after a return: its value goes below them
                k -= 1
                found.add(steps[k].offset)
    for before, step in itertools.pairwise(steps):
        if step.opname == "WITH_EXCEPT_START":
            found |= {before.offset, step.offset}
    return frozenset(found)


def ends_a_with(code: types.CodeType, offset: int) -> bool:
    """Return whether the end of a ``with`` statement begins here.

    Tracing tells of its line once more, although Python does not look for signals before it has called ``__exit__``.
    """
    return offset in _ends(code)


@functools.cache
def _comprehensions(code: types.CodeType) -> frozenset[int]:
    """Return the instructions of comprehensions that stand in their function, as they do from Python 3.12 on."""
    begins = {step.offset for step in dis.get_instructions(code) if step.opname == "PUSH_EXC_INFO"}
    entries = dis.Bytecode(code).exception_entries  # pyright: ignore[reportAttributeAccessIssue]
    inside = [e for e in entries if e.target not in begins]  # a handler that puts a variable back, and no ``except``
    return frozenset(offset for e in inside for offset in range(e.start, e.end, 2))


def is_in_a_comprehension(code: types.CodeType, offset: int) -> bool:
    """Return whether this is the loop of a comprehension.

    What a trace function raises there leaves a ``with`` statement around it without calling ``__exit__``. A signal does
    not: Python hands it on at the jump back, which it knows to lie inside.
    """
    return offset in _comprehensions(code)


@contextlib.contextmanager
def at_line(n: int, happen: Callable[[], None]) -> Iterator[list[tuple[str, int]]]:
    """Call ``happen`` before the n-th line (from 0) of the package in this thread; yields the lines so far."""
    lines: list[tuple[str, int]] = []

    def local(frame: Any, event: str, argument: Any) -> Any:
        if event == "line":
            lines.append((frame.f_code.co_filename, frame.f_lineno))
            code, offset = frame.f_code, frame.f_lasti
            if len(lines) == n + 1 and not ends_a_with(code, offset) and not is_in_a_comprehension(code, offset):
                happen()
        return local

    def trace(frame: Any, event: str, argument: Any) -> Any:
        name = frame.f_code.co_filename
        return local if name.startswith((PACKAGE, GENERATED)) else None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield lines
    finally:
        sys.settrace(before)


def lines_of(act: Callable[[], Any]) -> list[tuple[str, int]]:
    """Return the lines of the package that a call runs, as files and numbers."""
    with at_line(-1, lambda: None) as lines:
        act()
    return lines


def interrupt(act: Callable[[], Any], n: int) -> bool:
    """Call a function, and interrupt it before its n-th line; return whether it was interrupted."""
    raised = []

    def ctrl_c() -> None:
        raised.append(n)
        raise Interrupted

    with contextlib.suppress(Interrupted), at_line(n, ctrl_c):
        act()
    return bool(raised)


def pause(act: Callable[[], Any], n: int, meanwhile: Callable[[], None]) -> list[BaseException]:
    """Call a function in another thread; before its n-th line call ``meanwhile`` here, and let it go on."""
    there, go_on, failures = threading.Event(), threading.Event(), []

    def wait() -> None:
        there.set()
        go_on.wait(60)

    def work() -> None:
        try:
            with at_line(n, wait):
                act()
        except BaseException as failure:
            failures.append(failure)
        finally:
            there.set()

    thread = threading.Thread(target=work)
    thread.start()
    there.wait(60)
    try:
        meanwhile()
    finally:
        go_on.set()
        thread.join(60)
    return failures
