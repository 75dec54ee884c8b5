"""The code blocks of a lesson text, in order, as somebody would type them into a notebook.

Four notations occur:

* fences, ```` ```{.python .input} ````, ```` ```python ```` or bare;
* a notebook saved as text, in which ``[ ]:`` stands before a cell and nothing behind it;
* fences whose lines have lost their indentation (:func:`restore_indentation`);
* bare fences behind a Python fence, which show what the author's own run printed.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

#: What a block is.
CELL = "cell"  # to be run
BODY = "hybrid_forward"  # the method alone: to be put into a class
SHOWN = "shown"  # an output or an error message, to be read

_FENCE = re.compile(r"^```(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A block of code; numbers count from 1 and leave out what is only shown."""

    number: int
    kind: str
    source: str


def extract(text: str) -> list[Block]:
    """Return the blocks of a lesson."""
    sources = _fenced(text) if "\n```" in text else _of_notebook(text)
    blocks: list[Block] = []
    for kind, source in sources:
        number = 0 if kind == SHOWN else 1 + sum(b.kind != SHOWN for b in blocks)
        blocks.append(Block(number, kind, source))
    return blocks


def _fenced(text: str) -> list[tuple[str, str]]:
    fences = []
    for match in _FENCE.finditer(text):
        info, _, source = match.group(1).partition("\n")
        fences.append((info.strip(), source))
    languages = any(info for info, _ in fences)
    found = []
    for info, source in fences:
        if languages:
            kind = _kind(source) if info else SHOWN
        else:
            source = restore_indentation(source)
            kind = _kind(source) if _is_python(source) else SHOWN
        found.append((kind, source.rstrip("\n")))
    return found


def _of_notebook(text: str) -> list[tuple[str, str]]:
    """Return the cells, and the paragraphs of more than one line that are Python."""
    found = []
    for i, part in enumerate(re.split(r"^\[ \]:\n", text, flags=re.MULTILINE)):
        paragraphs = part.split("\n\n")
        if i:
            # Where a cell ends is not marked: it is as long as it can be and still be Python.
            length = max(n for n in range(1, len(paragraphs) + 1) if _is_python("\n\n".join(paragraphs[:n])))
            source = "\n\n".join(paragraphs[:length])
            found.append((_kind(source), source))
            paragraphs = paragraphs[length:]
        for paragraph in paragraphs:
            if "\n" in paragraph.strip() and _is_python(paragraph):
                found.append((_kind(paragraph), paragraph.strip("\n")))
    return found


def _kind(source: str) -> str:
    return BODY if source.startswith("def hybrid_forward(") else CELL


def _is_python(source: str) -> bool:
    try:
        ast.parse(without_shell_lines(source))
    except SyntaxError:
        return False
    return True


def without_shell_lines(source: str) -> str:
    """Return the code of a cell with ``!command`` lines as comments."""
    return re.sub(r"^!", "#!", source, flags=re.MULTILINE)


def restore_indentation(source: str) -> str:
    """Indent code whose lines all begin at the margin.

    The rule: a line that ends in a colon puts everything behind it one step further in. ``def``
    goes back to just inside the innermost class (or to the margin), ``class`` to the margin. It is
    enough for code in which no ``with`` and no ``if`` ends before its function does. Code that has
    indentation stays as it is.
    """
    lines = source.split("\n")
    if any(line.startswith((" ", "\t")) for line in lines):
        return source
    restored, level, inside_class = [], 0, 0
    for line in lines:
        if line.startswith("class "):
            level = inside_class = 0
        elif line.startswith("def "):
            level = inside_class
        restored.append("    " * level + line if line else line)
        if line.endswith(":") and not line.startswith("#"):
            level += 1
            if line.startswith("class "):
                inside_class = level
    return "\n".join(restored)
