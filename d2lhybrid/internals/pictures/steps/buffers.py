"""The memory of a generated function: the values in each buffer, and their lifetimes.

The buffers were observed in a run of the function. The last use of each value is inferred from the source.
"""

from __future__ import annotations

import ast

import numpy

from .model import Bar, Buffer, ProgramText
from .running import LineRun, target_of

__all__ = ["Memory"]


def _names(line: str) -> tuple[set[str], str]:
    """Return the names that a line uses, and the name of the value that the line overwrites.

    Examples
    --------
    >>> names, over = _names("y = maximum(x, zero, out=x)")
    >>> sorted(names), over
    (['maximum', 'x', 'zero'], 'x')
    >>> _names("add(y, b[None], y)")[1], _names("y = x.reshape(2, 3)")[1]
    ('y', '')
    """
    try:
        (statement,) = ast.parse(line.strip()).body
    except (SyntaxError, ValueError):
        return set(), ""
    used = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    if isinstance(statement, ast.AugAssign):
        return used | {target_of(line)}, target_of(line)
    value = getattr(statement, "value", None)
    if not isinstance(value, ast.Call):
        return used, ""
    out = next((k.value for k in value.keywords if k.arg == "out"), None)
    if out is None:
        return used, target_of(line) if isinstance(statement, ast.Expr) else ""
    return used, next((n.id for n in ast.walk(out) if isinstance(n, ast.Name)), "")


def _returned(line: str) -> set[str]:
    """Return the names whose arrays a line returns directly, without a copy into another layout.

    Examples
    --------
    >>> _returned("return y, ascontiguousarray(z)"), _returned("z = y")
    ({'y'}, set())
    """
    if not line.startswith("return"):
        return set()
    value = ast.parse(line[len("return") :].strip(), mode="eval").body
    copies = [n for n in ast.walk(value) if isinstance(n, ast.Call) and ast.unparse(n.func) == "ascontiguousarray"]
    copied = {id(n) for call in copies for n in ast.walk(call)}
    return {n.id for n in ast.walk(value) if isinstance(n, ast.Name) and id(n) not in copied}


class Memory:
    """The buffers that one run of a generated function used.

    Attributes
    ----------
    buffers : list of Buffer
        Buffers in the order of their first use.
    bar_at : dict of int to (int, int)
        For each line, the index of the buffer that the line wrote to, and the index of the value in the buffer.
    by_memory : dict of int to int
        The index of each memory block's buffer, by the block's id.
    """

    text: ProgramText
    end: int

    def __init__(self, text: ProgramText, runs: list[LineRun]) -> None:
        self.text, self.end = text, len(text.lines)
        self.buffers: list[Buffer] = []
        self.bar_at: dict[int, tuple[int, int]] = {}
        self.by_memory: dict[int, int] = {}
        self._of: dict[str, tuple[int, int]] = {}  # name of a value -> (buffer, index of the value)
        for run in runs:
            self._follow(run)
        for number in range(runs[-1].number + 1 if runs else 1, self.end + 1):
            self._use(number)  # a program that failed would use its values there

    def _use(self, number: int) -> str:
        """Record the values that a line uses; return the name of the value that the line overwrites."""
        line = self.text.lines[number - 1].strip()
        used, over = _names(line)
        returned = _returned(line)
        for name in used & self._of.keys():
            bar = self._bar(self._of[name])
            bar.last = max(bar.last, number)
            if name in returned:
                bar.last, bar.result = self.end, True
        return over

    def _follow(self, run: LineRun) -> None:
        over = self._use(run.number)
        if over in self._of:
            self.bar_at[run.number] = self._of[over]
        if run.value is not None and run.memory is not None and not run.given:
            nbytes = int(numpy.prod(run.value.shape, dtype=int)) * numpy.dtype(run.value.dtype).itemsize
            # A function that only writes to an argument creates a new value for a name that has no value yet.
            new = bool(over) and (over != run.name or run.name not in self._of)
            self._lay(run.name, run.number, run.memory, nbytes, new)
            self.bar_at[run.number] = self._of[run.name]
        for name, memory, nbytes in run.others:
            self._lay(name, run.number, memory, nbytes, False)

    def _lay(self, name: str, line: int, memory: int, nbytes: int, over: bool) -> None:
        index = self.by_memory.get(memory)
        if index is None:
            index = self.by_memory[memory] = len(self.buffers)
            self.buffers.append(Buffer([], nbytes))
        buffer = self.buffers[index]
        if not buffer.bars or over:
            buffer.bars.append(Bar(name, self.text.nodes[line - 1], line, line, nbytes, False))
        buffer.nbytes = max(buffer.nbytes, nbytes)
        place = index, len(buffer.bars) - 1  # a view shares the memory of its base
        self._of[name] = place
        bar = self._bar(place)
        bar.last = max(bar.last, line)

    def _bar(self, place: tuple[int, int]) -> Bar:
        return self.buffers[place[0]].bars[place[1]]
