"""How long the sections of a lesson take: it stands in their headings, and the sum in the list of lessons.

``python -m tests.lesson_minutes`` writes the headings and the lists, in English and in Chinese. It is an estimate for
somebody who reads all, runs every cell and looks at what it shows: so many words a minute, and so many lines of code,
which are read more slowly; a moment for each cell, and for an exercise or a quiz the time to answer it. What is only
proposed at the end of a lesson ("Things to try") takes as long as one likes, and has no time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

__all__ = [
    "FOLDER", "LISTS", "Section", "expected", "headings_of", "lessons", "minutes_in", "sections_of", "sum_of", "write",
    "write_list", "written",
]  # fmt: skip

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
#: Where a list of the lessons has their minutes.
LISTS = [
    *(FOLDER / language / form for language in ("", "zh") for form in ("00_start_here.ipynb", "text/00_start_here.md")),
    *(FOLDER.parent / "docs" / name for name in ("pictures/00_start_here.ipynb", "site/en.md", "site/zh.md")),
]
#: Of prose, and of code, in a minute; minutes to run a cell and look at it, and to answer an exercise or a quiz.
WORDS, LINES, LOOK, WRITE = 160, 12, 1 / 3, 10
#: Sections without a time.
OPEN = ("Things to try", "动手试试")
#: A row of such a list, from the lesson's name on.
_ROW = re.compile(r"\b(\d\d_\w+)(\.ipynb\).*\| )(\d+)(?= \|)")
_TIME = re.compile(r" \(\d+ min\)$|（\d+ 分钟）$")


class Section(NamedTuple):
    """A section of a lesson: its heading without a time, its level, and its minutes, with all that is below it."""

    title: str
    level: int
    minutes: float


def _cells(path: Path) -> list[tuple[str, str]]:
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return [(cell["cell_type"], "".join(cell["source"])) for cell in cells]


def _pieces(text: str) -> list[str]:
    """Return the parts of a text, each from one heading to the next; what looks like one in a program is none."""
    found, inside = [""], False
    for line in text.splitlines():
        inside ^= line.startswith("```")
        if not inside and re.match(r"#+ ", line):
            found.append("")
        found[-1] += f"{line}\n"
    return found


def sections_of(path: Path) -> list[Section]:
    """Return the sections of a lesson, of which the first is the whole."""
    found: list[list] = []
    for kind, text in _cells(path):
        if kind == "code":
            lines = [line for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]
            to_write = ('ex("' in text and ").check(" in text) or "quiz=True" in text
            found[-1][2] += len(lines) / LINES + LOOK + (WRITE if to_write else 0)
            continue
        for piece in _pieces(text):
            heading = re.match(r"(#+) (.*)\n", piece)
            if heading:
                found.append([_TIME.sub("", heading[2]), len(heading[1]), 0.0])
                piece = piece[heading.end() :]
            prose = re.sub(r"```.*?```", "", piece, flags=re.DOTALL)
            if found and found[-1][0] not in OPEN:
                found[-1][2] += len(re.findall(r"\w[\w'.-]*", prose)) / WORDS
    sums = []
    for i, (title, level, minutes) in enumerate(found):
        below = next((k for k in range(i + 1, len(found)) if found[k][1] <= level), len(found))
        sums.append(Section(title, level, minutes + sum(one[2] for one in found[i + 1 : below])))
    return sums


def sum_of(path: Path) -> int:
    """Return how many minutes a lesson takes, in steps of five."""
    return 5 * round(sections_of(path)[0].minutes / 5)


def headings_of(path: Path) -> list[str]:
    """Return the headings as they stand in a lesson."""
    found = []
    for kind, text in _cells(path):
        if kind == "markdown":
            found += [piece.partition("\n")[0] for piece in _pieces(text)[1:]]
    return found


def written(title: str, section: Section, chinese: bool) -> str:
    """Return a heading with its time, in the language of its title."""
    if section.level == 1 or section.title in OPEN:
        return f"{'#' * section.level} {title}"
    minutes = max(1, round(section.minutes))
    return f"{'#' * section.level} {title}" + (f"（{minutes} 分钟）" if chinese else f" ({minutes} min)")


def lessons() -> list[Path]:
    """Return the lessons in English."""
    return sorted(FOLDER.glob("[0-9][0-9]_*.ipynb"))


def expected(path: Path, chinese: bool) -> list[tuple[str, str]]:
    """Return for each heading of a lesson how it stands there and how it should; in Chinese by the original's times."""
    there = headings_of(FOLDER / "zh" / path.name if chinese else path)
    found = []
    for line, section in zip(there, sections_of(path), strict=True):
        title = _TIME.sub("", line.lstrip("#").strip())
        found.append((line, written(title, section, chinese)))
    return found


def write(path: Path, chinese: bool) -> None:
    """Write the times into a lesson, into both of its forms."""
    notebook = FOLDER / "zh" / path.name if chinese else path
    pairs = [(old, new) for old, new in expected(path, chinese) if old != new]
    for file in (notebook, notebook.parent / "text" / f"{path.stem}.md"):
        text = file.read_text("utf-8")
        for old, new in pairs:
            if file.suffix == ".ipynb":  # a line of a cell is a text in a list
                old, new = (json.dumps(line, ensure_ascii=False)[1:-1] for line in (old, new))
                text = re.sub(rf'(?m)^(\s*"){re.escape(old)}(?=(\\n)?",?$)', lambda m, new=new: m[1] + new, text)
            else:
                text = re.sub(rf"(?m)^{re.escape(old)}$", lambda _, new=new: new, text)
        file.write_text(text, "utf-8")


def minutes_in(path: Path) -> dict[str, int]:
    """Return how long each lesson takes, as a list of them says."""
    return {name: int(minutes) for name, _, minutes in _ROW.findall(path.read_text("utf-8"))}


def write_list(path: Path, minutes: Mapping[str, int]) -> None:
    """Write how long each lesson takes into a list of them."""
    text = path.read_text("utf-8")
    path.write_text(_ROW.sub(lambda row: f"{row[1]}{row[2]}{minutes[row[1]]}", text), "utf-8")


if __name__ == "__main__":
    for each in lessons():
        write(each, chinese=False)
        write(each, chinese=True)
    for place in LISTS:
        write_list(place, {each.stem: sum_of(each) for each in lessons()})
