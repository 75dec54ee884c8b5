"""The chapters of a generated function: its memory plan, its source, and its run."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from typing import Any

from ...core.codegen import PythonSource
from ...support.words import sentences, translate
from .buffers import Memory
from .model import Chapter, ProgramText, Step
from .registry import Registry, prepared_in
from .running import LineRun

__all__ = ["ProgramChapters"]

_ALLOCATES = re.compile(r"\w+ = empty\(")


class ProgramChapters:
    """The three chapters of a generated function.

    Attributes
    ----------
    text : ProgramText
        Lines of the function, and the node that each line computes.
    buffers : list of Buffer
        Buffers that the function used in its run.
    """

    registry: Registry
    half: str
    drawing: int
    text: ProgramText
    memory_used: Memory

    def __init__(self, registry: Registry, half: str) -> None:
        call = registry.call
        assert call.program is not None
        source = call.program.forward if half == "forward" else call.program.backward
        assert source is not None
        self.registry, self.half = registry, half
        self.source: PythonSource = source
        mine = set(source.line_nodes.values())
        graph = call.program.graph
        results = [n for n, _ in graph.outputs] if half == "forward" else []
        once = prepared_in(graph) if call.program.prepare is not None else ()
        self.drawing = registry.draw_nodes((n for n in graph.nodes if n in mine), results, once)
        lines = source.text.splitlines()
        nodes = [registry.number(n) if (n := source.line_nodes.get(i)) else -1 for i in range(1, len(lines) + 1)]
        times = {t.number: t.microseconds for t in call.times if t.function == half}
        self.text = ProgramText(half, lines, nodes, times)
        self.memory_used = Memory(self.text, call.runs.get(half, []))
        self.buffers = self.memory_used.buffers

    # --- memory ----------------------------------------------------------------------------------

    def memory(self) -> Chapter:
        """Return the chapter of the memory plan, with a step for each value."""
        return Chapter("memory", translate("Memory"), list(self._memory_steps()), self.half)

    def _memory_steps(self) -> Iterator[Step]:
        first = translate(
            "The order is fixed, so the last use of each value is known. {count} values, {buffers} buffers.",
            count=sum(len(b.bars) for b in self.buffers), buffers=len(self.buffers),
        )  # fmt: skip
        why = translate("The bar of each value goes from the line that computes it to its last use.")
        yield Step(first, why, self.drawing, half=self.half)
        order = sorted((bar.first, i, k) for i, b in enumerate(self.buffers) for k, bar in enumerate(b.bars))
        for _, i, k in order:
            bar = self.buffers[i].bars[k]
            values = {"name": bar.name, "nbytes": size(bar.nbytes), "first": bar.first, "last": bar.last}
            if bar.result:
                text = translate("{name}: {nbytes}, from line {first} to the end, as a result.", **values)
            else:
                text = translate("{name}: {nbytes}, from line {first} to line {last}.", **values)
            why = translate("A buffer is free for another value after the last use of its value.")
            if k > 0:
                over = self.buffers[i].bars[k - 1].name
                text = sentences(text, translate("It overwrites {over}, which is no longer needed.", over=over))
                why = translate("Writing in place saves memory, and the time to fetch it.")
            info = self.registry.nodes[bar.node] if bar.node >= 0 else None
            yield Step(
                text, why, self.drawing, focus=(bar.node,) if info else (), lines=info.lines if info else (),
                half=self.half, line=bar.first,
                buffer=i, bar=k,
            )  # fmt: skip
        yield self._peak()

    def _peak(self) -> Step:
        total = sum(bar.nbytes for b in self.buffers for bar in b.bars)
        buffers = sum(b.nbytes for b in self.buffers)
        sums = {"total": size(total), "buffers": size(buffers)}
        plan = self.source.plan
        if plan is None:  # this backend has no memory plan
            text = translate("All values together take {total}; the buffers take {buffers}.", **sums)
        else:
            text = translate(
                "All values together take {total}; the buffers take {buffers}; the plan's peak is {peak}.",
                peak=size(plan.peak_bytes), **sums,
            )  # fmt: skip
        why = translate("Arguments and parameters do not count: they exist anyway.")
        return Step(text, why, self.drawing, half=self.half)

    # --- source ----------------------------------------------------------------------------------

    def code(self) -> Chapter:
        """Return the chapter of the program's source, with a step for each line."""
        return Chapter("code", translate("Code"), list(self._code_steps()), self.half)

    def _code_steps(self) -> Iterator[Step]:
        met: set[int] = set()
        for number, (line, node) in enumerate(zip(self.text.lines, self.text.nodes, strict=True), 1):
            if not line.strip():
                continue
            text, why = self._sentence(number, line, node, node in met)
            met.add(node)
            info = self.registry.nodes[node] if node >= 0 else None
            buffer, bar = self._bar_at(number)
            yield Step(
                text, why, self.drawing, focus=(node,) if node >= 0 else (), lines=info.lines if info else (),
                half=self.half, line=number, buffer=buffer, bar=bar,
            )  # fmt: skip

    def _sentence(self, number: int, line: str, node: int, again: bool) -> tuple[str, str]:
        stripped = line.strip()
        if number == 1:
            count = stripped.count(",") + 1 if "()" not in stripped else 0
            text = translate("The program is a Python function of {count} arrays.", count=count)
            return text, translate("It has no Symbol, NDArray, or block, only lines on plain arrays.")
        if stripped.startswith("return"):
            return translate("The results are returned."), self._kept()
        if stripped.startswith("del "):
            names = stripped.removeprefix("del ")
            return translate("The memory of {names} is freed.", names=names), translate("This was their last use.")
        if node < 0:
            return translate("This line belongs to no node."), ""
        info = self.registry.nodes[node]
        if again:
            return translate("One more line for {name}.", name=info.name), translate(
                "The name is the node's; the comment describes the result."
            )
        values = {"name": info.name, "op": info.op, "type": info.type, "count": self.text.nodes.count(node)}
        text = "{name} ({op}) becomes this line; the result is {type}."
        if values["count"] > 1:
            text = "{name} ({op}) becomes {count} lines, from here on; the result is {type}."
        return translate(text, **values), translate("The name is the node's; the comment describes the result.")

    def _kept(self) -> str:
        program = self.registry.call.program
        if self.half == "backward" or program is None or not program.num_residuals:
            return ""
        return translate("After the outputs come {count} values that the backward program needs.",
                         count=program.num_residuals)  # fmt: skip

    def _bar_at(self, number: int) -> tuple[int, int]:
        """Return the index of the buffer that a line writes to, and the index of the value in the buffer."""
        return self.memory_used.bar_at.get(number, (-1, -1))

    # --- run -------------------------------------------------------------------------------------

    def run(self) -> Chapter:
        """Return the chapter of the run, with a step for each line that ran, in order."""
        return Chapter("run", translate("Run"), list(self._run_steps()), self.half)

    def _run_steps(self) -> Iterator[Step]:
        if self.half not in self.registry.call.runs:
            yield Step(translate("This program runs as machine code: its lines cannot be watched."), "", self.drawing,
                       half=self.half)  # fmt: skip
            return
        met: set[str] = set()
        why = translate("The generated program runs; these are its real values.")
        for run in self.registry.call.runs[self.half]:
            node = self.source.line_nodes.get(run.number)
            number = -1 if node is None else self.registry.number(node)
            buffer, bar = self._bar_at(run.number)
            known = self.memory_used.by_memory
            live: dict[Any, None] = dict.fromkeys(map(known.get, run.live))
            live.pop(None, None)
            shown = dataclasses.replace(run, value=None) if self._only_allocates(run) else run
            yield Step(
                self._story(run, node is not None, met, buffer, bar), why, self.drawing,
                focus=(number,) if number >= 0 else (), lines=self.registry.nodes[number].lines if number >= 0 else (),
                half=self.half, line=run.number, buffer=buffer, bar=bar, run=shown,
                live=tuple(live),
            )  # fmt: skip
            met.add(run.name)

    def _only_allocates(self, run: LineRun) -> bool:
        """Return whether a line only allocates memory, whose elements are not initialized."""
        return bool(_ALLOCATES.match(self.text.lines[run.number - 1].strip()))

    def _story(self, run: LineRun, is_node: bool, met: set[str], buffer: int, bar: int) -> str:
        text = self.text.lines[run.number - 1].strip()
        if text.startswith("return"):
            if len(run.results) == 1:
                return translate("The program returns one array.")
            return translate("The program returns {count} arrays.", count=len(run.results))
        if text.startswith("del "):
            return translate("The memory of {names} is free again.", names=text.removeprefix("del "))
        if not is_node or run.value is None:
            return translate("This line runs.")
        values = {"name": run.name, "type": f"{run.value.dtype}[{','.join(map(str, run.value.shape))}]"}
        if run.name in met:
            return translate("{name} is changed in place.", **values)
        if run.given:
            return translate("{name} is computed: {type}, a view of an argument.", **values)
        if self._only_allocates(run):
            return translate("{name} gets memory, buffer {buffer}, for {type}; it has no values yet.",
                             buffer=buffer + 1, **values)  # fmt: skip
        place = self.buffers[buffer].bars[bar] if buffer >= 0 else None
        if bar > 0 and place is not None and place.first == run.number:
            over = self.buffers[buffer].bars[bar - 1].name
            return translate("{name} is computed: {type}, written over {over}.", over=over, **values)
        if run.over and (place is None or place.first < run.number):
            return translate("{name} is computed: {type}, another view of {over}.", over=run.over, **values)
        return translate("{name} is computed: {type}, in buffer {buffer}.", buffer=buffer + 1, **values)

    def chapters(self) -> Sequence[Chapter]:
        """Return the chapters of the memory plan, the code, and the run."""
        return [self.memory(), self.code(), self.run()]


def size(nbytes: int) -> str:
    """Return a number of bytes as text in a readable unit.

    Examples
    --------
    >>> size(40), size(4096), size(3 << 20)
    ('40 bytes', '4 kB', '3 MB')
    """
    for unit, factor in (("MB", 1 << 20), ("kB", 1 << 10)):
        if nbytes >= factor:
            return f"{nbytes / factor:.3g} {unit}"
    return translate("{n} bytes", n=nbytes)
