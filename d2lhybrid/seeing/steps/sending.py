"""Steps for the browser: as small as they can be, for a notebook may keep them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...support.words import translate
from ..listing import tokens_of
from .layout import COLOURS, MARKS, place, short_type
from .model import Buffer, Chapter, NodeInfo, Source, Step
from .program import size
from .running import LineRun, short

if TYPE_CHECKING:
    from ..compile_steps import StepData

__all__ = ["MAX_STEPS", "sent"]

#: With more steps than this, long chapters are cut.
MAX_STEPS = 400
#: Lines of a program that are sent.
MAX_LINES = 100

#: What the view says, in English.
WORDS = (
    "Source", "Graph", "Program", "step back", "step forward", "play", "pause", "speed", "forward", "backward",
    "position", "printed", "Chapters", "compile with gradients",
)  # fmt: skip


def sent(data: StepData) -> dict[str, Any]:
    """Return the data of the widget."""
    notes = list(data.notes)
    most = len(data.steps) if len(data.steps) <= MAX_STEPS else max(MAX_STEPS // len(data.chapters), 15)
    chapters, used = [], set()
    whys: dict[str, int] = {}
    for chapter in data.chapters:
        steps = chapter.steps
        if len(steps) > most + 1:
            left = len(steps) - most
            steps = [*steps[: most - 1], steps[-1]]
            notes.append(translate("{chapter}: {count} steps are left out.", chapter=chapter.title, count=left))
        used |= {s.drawing for s in steps}
        made = {"k": chapter.kind, "t": chapter.title, "h": chapter.half, "o": _counterpart(data.chapters, chapter)}
        times = data.programs[chapter.half].microseconds if chapter.half in data.programs else {}
        chapters.append({**made, "s": [_step(s, whys, times) for s in steps]})
    drawings = [_drawing(data, i) if i in used else None for i in range(len(data.drawings))]
    cut = [d["total"] for d in drawings if d and d["total"] > len(d["n"])]
    if cut:
        notes.append(translate("Of {count} nodes the first are drawn.", count=max(cut)))
    nodes = {n[0] for d in drawings if d for n in d["n"]}
    return {
        "title": data.title,
        "record": getattr(data, "record", None),
        "notes": notes,
        "words": {w: t for w in WORDS if (t := translate(w)) != w},
        "whys": list(whys),
        "nodes": [_node(n) if i in nodes else 0 for i, n in enumerate(data.nodes)],
        "sources": [_source(s) for s in data.sources],
        "drawings": drawings,
        "programs": {half: _program(p) for half, p in data.programs.items()},
        "buffers": {
            half: [[column, _bars(buffer)] for column, buffer in zip(columns(buffers), buffers, strict=True)]
            for half, buffers in data.buffers.items()
        },
        "chapters": chapters,
    }


def _counterpart(chapters: list[Chapter], chapter: Chapter) -> int:
    """Return the number of the chapter of the same kind on the other half of the program."""
    others = [i for i, c in enumerate(chapters) if c.half and c.half != (chapter.half or "forward")]
    return next((i for i in others if chapters[i].kind == chapter.kind), others[0] if others else -1)


def columns(buffers: list[Buffer]) -> list[int]:
    """Return for each buffer the column that it is drawn in: the first one that is free while it lives."""
    taken: list[int] = []  # for each column the last line that is in use
    found = []
    for buffer in buffers:
        first, last = buffer.bars[0].first, max(b.last for b in buffer.bars)
        column = next((i for i, line in enumerate(taken) if line < first), len(taken))
        taken[column:] = [last, *taken[column + 1 :]]
        found.append(column)
    return found


def _bars(buffer: Buffer) -> list[Any]:
    return [[b.name, b.first, b.last, size(b.nbytes)] for b in buffer.bars]


def _node(info: NodeInfo) -> list[Any]:
    return [COLOURS.get(info.kind, -1), short_type(info.type)]


def _drawing(data: StepData, number: int) -> dict[str, Any]:
    placed = place(data.drawings[number], data.nodes)
    order = {b.node: i for i, b in enumerate(placed.boxes)}
    return {
        "w": round(placed.width), "h": round(placed.height), "total": placed.total,
        "n": [[b.node, round(b.x), round(b.y), round(b.width), round(b.height), b.title, b.name] for b in placed.boxes],
        "e": [[path, max(order[a], order[b]) + 1] for a, b, path in placed.edges],
    }  # fmt: skip


def _tokens(lines: list[str]) -> list[Any]:
    """Return lines as lists: a text alone is plain, a pair has a kind."""
    found = []
    for parts in tokens_of(lines):
        found.append([[text, kind] if kind else text for text, kind in parts])
    return found


def _source(source: Source) -> dict[str, Any]:
    return {"t": source.title, "f": source.first, "l": _tokens(source.lines[:MAX_LINES])}


def _program(program: Any) -> dict[str, Any]:
    return {"l": _tokens(program.lines[:MAX_LINES])}


def _values(run: LineRun, microseconds: float | None) -> list[list[str]]:
    """Return name, value, and in small letters more of it, of what a line computed or returned."""
    values = [run.value] if run.value is not None else list(run.results[:4])
    rows = []
    for value in values:
        more = "" if value.mean is None else "  ".join(
            (f"{translate('smallest')} {short(value.smallest)}", f"{translate('mean')} {short(value.mean)}",
             f"{translate('largest')} {short(value.largest)}"))  # fmt: skip
        rows.append([run.name or "return", value.text, more])
    if rows and microseconds is not None:
        rows[-1][2] += f"\n{translate('took')} {microseconds:.3g} µs"
    return rows


def _step(step: Step, whys: dict[str, int], times: dict[int, float]) -> dict[str, Any]:
    """Return a step with short names, without what it does not have."""
    marks: dict[str, list[int]] = {}
    for mark, nodes in step.marks.items():
        colour, dashed = MARKS[mark]
        marks.setdefault(f"{colour}-" if dashed else colour, []).extend(nodes)
    full: dict[str, Any] = {
        "t": step.text, "v": None if step.visible < 0 else step.visible, "n": list(step.focus),
        "m": marks, "y": {str(n): t for n, t in step.types.items()},
        "l": [list(line) for line in step.lines], "h": step.half, "i": step.line, "p": step.printed,
        "live": list(step.live),
    }  # fmt: skip
    found = {name: value for name, value in full.items() if value not in ("", None, [], {}, 0)}
    if step.visible == 0:
        found["v"] = 0
    if step.why:
        found["w"] = whys.setdefault(step.why, len(whys))
    if step.drawing >= 0:
        found["d"] = step.drawing
    if step.buffer >= 0:
        found["b"] = [step.buffer, step.bar]
    if step.run is not None:
        found["r"] = _values(step.run, times.get(step.line))
    if step.shown:
        found["r"] = [[name, value, ""] for name, value in step.shown]
    return found
