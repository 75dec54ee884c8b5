"""The files in an exercise's folder, which this module reads as text on demand and never imports.

Answers are independent Python files. The imports that a notebook provides for its answer cells are above the line
``# %%``, and the answer is below this line. The statement is Markdown: the title, the task, and the sections with hints
and insight. An optional translation, such as ``text.zh.md`` in Chinese, is next to the statement.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TypeVar

from ...support.display import Shown

__all__ = [
    "Statement",
    "answer_in",
    "folder_of",
    "parse_answer",
    "parse_statement",
    "parsed",
    "statement_in",
]

_T = TypeVar("_T")

_CELL = re.compile(r"^# %%\n", re.MULTILINE)


@dataclass(frozen=True, repr=False)
class Statement(Shown):
    """The texts of an exercise.

    Attributes
    ----------
    title : str
        Title in a few words.
    task : str
        Task in Markdown.
    hints : tuple of str
        Hints, from vague to explicit.
    insight : str
        Lesson that a right answer teaches, in one sentence.
    """

    title: str
    task: str
    hints: tuple[str, ...]
    insight: str


def folder_of(module: str) -> Traversable:
    """Return the folder of the module with the given ``__name__``."""
    chapter, folder, _ = module.rsplit(".", 2)
    return files(chapter) / folder


def parse_statement(text: str) -> Statement:
    r"""Parse the statement of an exercise, which is the text of a file ``text.md``.

    Raises
    ------
    ValueError
        If the title, the task, or a section is missing.

    Examples
    --------
    >>> statement = parse_statement("# Add\n\nWrite `add`.\n\n## Hints\n\n- Try\n  `+`.\n\n## Insight\n\nIt adds.\n")
    >>> statement.title, statement.task, statement.hints, statement.insight
    ('Add', 'Write `add`.', ('Try `+`.',), 'It adds.')
    """
    found = re.fullmatch(r"# ([^\n]+)\n(.+?)\n## Hints\n(.+?)\n## Insight\n(.+)", text, flags=re.DOTALL)
    if found is None:
        raise ValueError("a statement must have a title, a task, and the sections `## Hints` and `## Insight`")
    title, task, hints, insight = found.groups()
    items = re.split(r"^- ", hints, flags=re.MULTILINE)[1:]
    return Statement(title, task.strip(), tuple(_on_one_line(hint) for hint in items), _on_one_line(insight))


def _on_one_line(paragraph: str) -> str:
    return " ".join(paragraph.split())


def parse_answer(source: str) -> str:
    r"""Return the answer cell in the text of a file: all lines after the line ``# %%``.

    Raises
    ------
    ValueError
        If the text has no line ``# %%``.

    Examples
    --------
    >>> parse_answer("import numpy\n\n# %%\ndef add(a, b):\n    return a + b\n")
    'def add(a, b):\n    return a + b\n'
    """
    _, *answer = _CELL.split(source, maxsplit=1)
    if not answer:
        raise ValueError("the line `# %%` above the answer is missing")
    return answer[0]


def parsed(parse: Callable[[str], _T], path: Traversable) -> _T:
    """Parse a file, and return the result. If the parser raises a ValueError, add a note with the file's path.

    Parameters
    ----------
    parse : callable
        Function that takes the text, and raises ValueError if the text is invalid.
    path : Traversable
        Path of the file.
    """
    try:
        return parse(path.read_text("utf-8"))
    except ValueError as error:
        error.add_note(f"in {path}")
        raise


def statement_in(folder: Traversable, lang: str = "en") -> Statement:
    """Return the texts of an exercise in a language or, if there is no translation, in the language of ``text.md``."""
    translated = folder / f"text.{lang}.md"
    return parsed(parse_statement, translated if translated.is_file() else folder / "text.md")


def answer_in(folder: Traversable, name: str) -> str:
    """Return the answer cell in the file ``name.py``."""
    return parsed(parse_answer, folder / f"{name}.py")
