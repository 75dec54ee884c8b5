"""The data of steps for the browser, in a compact form because notebooks may store the data."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ...support.words import translate
from ..columns import columns_of
from ..graph_visible import shortened
from ..html import packed_size
from ..listing import tokens_of
from ..picture import to_json
from .layout import MARKS, place, short_type
from .milestones import Milestone, milestones_of, moves_of, savings_of
from .model import Buffer, Source, Step
from .program import size
from .running import LineRun, short

if TYPE_CHECKING:
    from ..compile_steps import CompileStepper

__all__ = ["MAX_STEPS", "sent"]

#: Candidates for the maximum number of steps in a chapter; the first candidate that fits is used.
MAX_STEPS, FEWER = 400, (200, 100, 50)
#: Space around a drawing.
_MARGIN = 12
#: The maximum number of lines of a program.
MAX_LINES = 100

#: English words in the view.
WORDS = (
    "Graph", "Program", "step back", "step forward", "play", "pause", "position", "printed", "Chapters",
    "with gradients", "details", "details ({count})", "Your code", "lines of the library", "before", "after",
    "What was saved", "stage {n} of {count}", "step {n} of {count}",
    "drag to move, Ctrl + wheel to zoom", "Panels", "Values",
    "line", "It fails here", "removed by {stage}",
    "Point at something to see what belongs to it. Click to keep it, double-click to show its step.",
)  # fmt: skip


def sent(data: CompileStepper, room: float | None = None) -> dict[str, Any]:
    """Return the data of the widget, with as many steps of a large net as fit in ``room`` bytes of a notebook."""
    from ..widgets.page import room_for_data

    room = room_for_data(data.view_name) if room is None else room
    found = _sent(data, MAX_STEPS)
    for most in FEWER:
        text = to_json(found)
        # Compression shrinks the data to a third or less, mostly to a tenth.
        if len(text) < 3 * room or packed_size(to_json(columns_of(found))) < room:
            break
        found = _sent(data, most)
    return found


def _sent(data: CompileStepper, most_steps: int) -> dict[str, Any]:
    notes = list(data.notes)
    milestones = milestones_of(data)
    count = sum(len(m.steps) for m in milestones)
    most = count if count <= most_steps else max(most_steps // len(milestones), 5)
    whys: dict[str, int] = {}
    made, used = [], set()
    for milestone in milestones:
        steps = milestone.steps
        if len(steps) > most + 1:
            left = len(steps) - most
            steps = [*steps[: most - 1], steps[-1]]
            notes.append(translate("{chapter}: {count} steps are left out.", chapter=milestone.title, count=left))
        used |= {s.drawing for s in steps} | {milestone.drawing, milestone.before}
        times = data.programs[milestone.half].microseconds if milestone.half in data.programs else {}
        made.append(_milestone(milestone, [_step(s, whys, times, data) for s in steps], data))
    drawings = [_drawing(data, i) if i in used else None for i in range(len(data.drawings))]
    cut = [d["total"] for d in drawings if d and d["total"] > len(d["b"])]
    if cut:
        notes.append(translate("Only the first of {count} nodes are drawn.", count=max(cut)))
    nodes = {box[0] for d in drawings if d for box in d["b"]}
    for one in (*made, *(step for milestone in made for step in milestone["s"])):
        for name in ("m", "g", "y"):  # remove marks and types of nodes that are not drawn
            if name in one:
                one[name] = {node: what for node, what in one[name].items() if node in nodes}
    return {
        "title": data.title,
        "record": getattr(data, "record", None),
        "notes": notes,
        "words": {w: t for w in WORDS if (t := translate(w)) != w},
        "whys": [*map(_short, whys)],
        "nodes": {node: places for node in _linked(data, nodes) if (places := _places(data, int(node)))},
        "types": {str(i): short_type(n.type) for i, n in enumerate(data.nodes) if n.type and str(i) in nodes},
        "sources": [_source(s) for s in data.sources],
        "drawings": drawings,
        "moves": {
            f"{a}>{b}": {old: new for old, new in _drawn_moves(m, data, a, b) if {old, new} <= nodes}
            for (a, b), m in moves_of(data).items()
        },
        "programs": {half: _program(p) for half, p in data.programs.items()},
        "buffers": {
            half: [[column, _bars(buffer)] for column, buffer in zip(columns(buffers), buffers, strict=True)]
            for half, buffers in data.buffers.items()
        },
        "milestones": made,
        "at": next((i for i, m in enumerate(milestones) if m.steps and m.steps[-1] is data.first_chapter.steps[-1]), 0),
        "saved": [list(row) for row in savings_of(data)],
    }


def _milestone(milestone: Milestone, steps: list[dict[str, Any]], data: CompileStepper) -> dict[str, Any]:
    m = milestone
    for step in steps:  # texts of the milestone aren't repeated
        for name, value in (("d", m.drawing), ("h", m.half)):
            if step.get(name) == value:
                del step[name]
    failed = {} if m.failure is None else {"x": [m.failure.place, m.failure.problem.to_dict()]}
    return {
        "c": m.title, "t": _short(m.text), "w": _short(m.why), "k": m.panel, "d": m.drawing, "b": m.before,
        "m": _marks(m.marks, data, m.drawing), "g": _marks(m.gone, data, m.before),
        "h": m.half, "p": int(m.bars), "s": steps, **failed,
    }  # fmt: skip


def _short(sentence: str) -> str:
    """Return a sentence with at most three lines; long names are truncated in the middle, as in boxes."""
    return re.sub(r"\w{29,}", lambda name: shortened(name[0], 28), sentence)


def _drawn_as(nodes: Iterable[int], data: CompileStepper, drawing: int) -> list[str]:
    """Return the ids of the boxes that represent nodes."""
    drawn = data.drawings[drawing].drawn if drawing >= 0 else int
    return list(dict.fromkeys(str(drawn(n)) for n in nodes))


def _drawn_moves(moves: dict[int, int], data: CompileStepper, before: int, after: int) -> Iterable[tuple[str, str]]:
    old, new = data.drawings[before].drawn, data.drawings[after].drawn
    return ((str(old(a)), str(new(b))) for a, b in moves.items() if old(a) != new(b))


def _marks(marks: dict[str, tuple[int, ...]], data: CompileStepper, drawing: int) -> dict[str, str]:
    """Return the color and the dash pattern of each marked node's mark."""
    found: dict[str, str] = {}
    for mark, nodes in marks.items():
        colour, dashed = MARKS[mark]
        found |= dict.fromkeys(_drawn_as(nodes, data, drawing), f"{colour}-" if dashed else colour)
    return found


def columns(buffers: list[Buffer]) -> list[int]:
    """Return the column of each buffer in the drawing: the first column that is free during the buffer's lifetime."""
    taken: list[int] = []  # last used line of each column
    found = []
    for buffer in buffers:
        first, last = buffer.bars[0].first, max(b.last for b in buffer.bars)
        column = next((i for i, line in enumerate(taken) if line < first), len(taken))
        taken[column:] = [last, *taken[column + 1 :]]
        found.append(column)
    return found


def _bars(buffer: Buffer) -> list[Any]:
    return [[b.name, b.first, b.last, size(b.nbytes), str(b.node)] for b in buffer.bars if b.first <= MAX_LINES]


def _linked(data: CompileStepper, drawn: set[str]) -> list[str]:
    """Return the nodes that are drawn or that lines of a program compute."""
    computed = {str(node) for p in data.programs.values() for node in p.nodes[:MAX_LINES] if node >= 0}
    return sorted({node for node in drawn if node.isdecimal()} | computed, key=int)


def _places(data: CompileStepper, node: int) -> list[list[int]]:
    """Return the lines of a node: the line that created its layer, then the lines that ran, innermost last."""
    info = data.nodes[node]
    made: list[tuple[int, int]] = [] if info.made is None else [info.made]
    return [list(place) for place in dict.fromkeys([*made, *info.lines])]


def _drawing(data: CompileStepper, number: int) -> dict[str, Any]:
    """Return a drawing in the format of ``canvas.js``; the view writes types next to the boxes."""
    placed = place(data.drawings[number], data.nodes)
    kinds = {"data": "input", "head": "gradient", "constant": "constant", "prepared": "operator constant"}
    boxes = []
    for b in placed.boxes:
        kind = "output" if b.node < 0 else kinds.get(data.nodes[b.node].kind, "operator")
        corner = round(b.x - b.width / 2) + _MARGIN, round(b.y - b.height / 2) + _MARGIN
        boxes.append([b.id, f"{kind} {b.family}".strip(), *corner, round(b.width), round(b.height), list(b.texts)])
    edges = [[a, b, [round(v) + _MARGIN for point in points for v in point], 1] for a, b, points in placed.edges]
    size_ = {"w": round(placed.width) + 2 * _MARGIN, "h": round(placed.height) + 2 * _MARGIN, "total": placed.total}
    return {**size_, "b": boxes, "e": edges}


def _tokens(lines: list[str]) -> list[Any]:
    """Return the tokens of lines: a string for plain text, or a pair of text and kind."""
    found = []
    for parts in tokens_of(lines):
        found.append([[text, kind] if kind else text for text, kind in parts])
    return found


def _source(source: Source) -> dict[str, Any]:
    own = {} if source.own else {"lib": 1}
    return {"t": source.title, "f": source.first, "l": _tokens(source.lines[:MAX_LINES]), **own}


def _program(program: Any) -> dict[str, Any]:
    times = program.microseconds
    shown = range(1, min(len(program.lines), MAX_LINES) + 1)
    return {
        "l": _tokens(program.lines[:MAX_LINES]),
        "n": ["" if node < 0 else str(node) for node in program.nodes[:MAX_LINES]],
        "t": {str(i): float(f"{times[i]:.3g}") for i in shown if i in times},
    }


def _values(run: LineRun, microseconds: float | None) -> list[list[str]]:
    """Return the name, the value, and the details of each result of a line."""
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


def _own_lines(step: Step, data: CompileStepper) -> list[list[int]]:
    """Return the lines of a step; empty if its nodes already have all of them."""
    lines = [step.made, *step.lines] if step.made else step.lines
    of_nodes = [place for node in step.focus for place in _places(data, node)]
    return [] if {*lines} <= {*map(tuple, of_nodes)} else [list(line) for line in lines]


def _step(step: Step, whys: dict[str, int], times: dict[int, float], data: CompileStepper) -> dict[str, Any]:
    """Return a step as data with short keys and without empty entries."""
    full: dict[str, Any] = {
        "t": _short(step.text), "v": None if step.visible < 0 else step.visible,
        "n": _drawn_as(step.focus, data, step.drawing),
        "m": _marks(step.marks, data, step.drawing), "y": {str(n): t for n, t in step.types.items()},
        "l": _own_lines(step, data), "h": step.half,
        "i": step.line, "p": step.printed,
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
