"""Steps in forms that need no scripts: text, and collapsible HTML."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ...support.display import shorter
from ...support.words import in_brackets, translate
from ..html import details, element, escape, heading, without_room
from ..svg import Svg
from ..theme import FAMILIES, MONOSPACE, PALETTE
from .failure import problem_lines
from .layout import place, to_svg
from .model import Buffer, Chapter, Step

if TYPE_CHECKING:
    from ..compile_steps import StepData

__all__ = ["as_html", "as_text", "memory_picture"]

#: The maximum sizes of drawings and lists in a saved page.
MAX_NODES, MAX_LINES, MAX_BUFFERS = 40, 60, 20
#: Candidates for the maximum number of sentences in a chapter; the first to use at most half of the size limit counts.
MANY_SENTENCES = 24, 12, 8, 5, 3, 1
#: The size of the markup around a chapter in bytes, including a possible note about omitted parts.
FRAME = 200


def as_text(data: StepData) -> str:
    """Return the sentences of all chapters as text."""
    lines = [data.title]
    for number, chapter in enumerate(data.chapters, 1):
        lines += ["", f"{number}. {title_of(chapter)}"]
        for step in chapter.steps:
            lines.append(f"   {_where(data, step)}{step.text}")
            if step.run is not None and step.run.value is not None:
                lines.append(f"      {step.run.value}")
            lines += [f"      {text}" for text in _explained(data, step)]
    return "\n".join(lines)


def _explained(data: StepData, step: Step) -> list[str]:
    """Return the message, the line, and the explanation of a step's error."""
    if step.failure is None:
        return []
    line = []
    if step.failure.place is not None:
        number, at = step.failure.place
        line = [f"{at:4}  {data.sources[number].lines[at - data.sources[number].first]}"]
    return [*line, *step.why.splitlines(), *problem_lines(step.failure.problem)]


def title_of(chapter: Chapter) -> str:
    """Return the title of a chapter, with "forward" or "backward" in parentheses if the chapter has a half."""
    return in_brackets(chapter.title, translate(chapter.half)) if chapter.half else chapter.title


def _where(data: StepData, step: Step) -> str:
    if step.line and step.half:
        return f"[{step.line:2}] "
    if step.lines:
        source, line = step.lines[-1]
        return f"{data.sources[source].title}:{line}  "
    return ""


def as_html(data: StepData, room: float = math.inf) -> str:
    """Return a collapsible section for each chapter, one of them open, with notes about parts that do not fit."""
    room -= FRAME * len(data.chapters)
    parts = [heading(data.title, translate("{count} steps", count=len(data.steps)))]
    told: list[str] = []
    for most in MANY_SENTENCES:
        told = [_sentences(data, chapter, most) for chapter in data.chapters]
        if _length(told) < room / 2:
            break
    shown = _with_room(data, room - _length(told))
    for i, (chapter, sentences, more) in enumerate(zip(data.chapters, told, shown, strict=True)):
        opened = chapter is data.first_chapter or (i == 0 and not data.begins_with)
        parts.append(details(f"{i + 1}. {title_of(chapter)}", sentences + more, opened=opened))
    return "".join(parts)


def _length(texts: list[str]) -> int:
    return sum(len(text.encode()) for text in texts)


def _with_room(data: StepData, room: float) -> list[str]:
    """Return each chapter's picture or program, or a note that it does not fit.

    The traced graph has the highest priority, then the program, its memory, and the graph after the last pass.
    """
    pictured: set[tuple[int, str]] = set()
    found = [_picture_of(data, chapter, pictured) for chapter in data.chapters]
    passes = [i for i, chapter in enumerate(data.chapters) if chapter.kind == "pass" and found[i]]
    order = [
        0,
        *(i for kind in ("code", "memory") for i, c in enumerate(data.chapters) if c.kind == kind),
        *passes[-1:],
    ]
    for i in dict.fromkeys([*order, *range(len(found))]):
        size = _length([found[i]])
        if size and size > room:
            found[i] = without_room()
        else:
            room -= size
    return found


def _sentences(data: StepData, chapter: Chapter, most: int) -> str:
    if chapter.kind == "code":
        return ""
    steps = chapter.steps[:most]
    items = []
    for step in steps:
        value = ""
        if step.run is not None and step.run.value is not None:
            value = element("div", escape(step.run.value), style=f"font: 11px {MONOSPACE}; opacity: .8")
        if step.failure is not None:
            text = "\n".join(_explained(data, step))
            value = element(
                "pre", escape(text), style=f"font: 12px/1.5 {MONOSPACE}; white-space: pre-wrap; background: none"
            )
        items.append(element("li", escape(step.text), value))
    left = len(chapter.steps) - len(steps)
    if left:
        items.append(element("li", escape(translate("and {count} more steps", count=left))))
    return element("ol", *items, style="margin: 4px 0")


def _picture_of(data: StepData, chapter: Chapter, pictured: set[tuple[int, str]]) -> str:
    last = chapter.steps[-1]
    if chapter.kind == "memory":
        return memory_picture(data, chapter.half).to_img()
    if chapter.kind == "code" and chapter.half in data.programs:
        lines = data.programs[chapter.half].lines
        left = [translate("and {count} more lines", count=len(lines) - MAX_LINES)] if len(lines) > MAX_LINES else []
        text = "\n".join([*(shorter(line) for line in lines[:MAX_LINES]), *left])
        return element("pre", escape(text), style=f"font: 12px/1.5 {MONOSPACE}; margin: 4px 0; background: none")
    if chapter.kind in ("run", "unchanged") or last.drawing < 0:
        return ""
    kind = "infer" if chapter.kind == "infer" else ""
    key = last.drawing, kind or str(last.marks)
    if key in pictured or len(data.drawings[last.drawing].nodes) > MAX_NODES:
        return ""
    pictured.add(key)
    placed = place(data.drawings[last.drawing], data.nodes)
    marks = last.marks or next((s.marks for s in reversed(chapter.steps) if s.marks and s.drawing == last.drawing), {})
    return to_svg(placed, data.nodes, marks, f"{data.title}: {chapter.title}", types=bool(kind)).to_img()


def memory_picture(data: StepData, half: str) -> Svg:
    """Return a picture of the memory plan, with buffers as rows, and lines of the program from left to right."""
    buffers: list[Buffer] = data.buffers[half][:MAX_BUFFERS]
    count = len(data.programs[half].lines)
    left, step, row = 74, max(8.0, min(34.0, 620 / max(count, 1))), 24
    more = len(data.buffers[half]) - len(buffers)
    picture = Svg(left + step * (count + 1) + 10, row * (len(buffers) + bool(more)) + 30, translate("Memory"))
    picture.open("g", font_family="monospace", font_size=10, fill=PALETTE["ink"][0])
    for number in range(1, count + 1, max(1, round(20 / step))):
        picture.add("text", str(number), x=round(left + step * number), y=14, fill=PALETTE["muted"][0])
    bars: dict[str, list[tuple[int, int, int]]] = {}
    for i, buffer in enumerate(buffers):
        y = 22 + row * i
        picture.add("text", f"{translate('buffer')} {i + 1}", x=6, y=y + 13)
        for k, bar in enumerate(buffer.bars):
            x, width = left + step * bar.first, step * (bar.last - bar.first + 1) - 2
            colour = FAMILIES[k % len(FAMILIES)][0]
            bars.setdefault(colour, []).append((round(x), y, round(max(width, 4))))
            if width > 30:
                picture.add("text", bar.name[: int(width / 6.2)], x=round(x) + 4, y=y + 13)
    for colour, places in bars.items():
        picture.open("g", fill=colour, fill_opacity=0.25, stroke=colour)
        for x, y, width in places:
            picture.add("rect", x=x, y=y, width=width, height=18, rx=3)
        picture.close()
    if more:
        picture.add("text", translate("and {count} more buffers", count=more), x=6, y=35 + row * len(buffers))
    picture.close()
    return picture
