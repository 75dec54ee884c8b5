"""What lies in the folder of an exercise, read as text when somebody asks for it, and never imported.

The answers are Python files that stand on their own: above the line ``# %%`` stand the imports that a notebook has made
for its answer cells, below it the answer. The statement is Markdown: the title, the task, and two sections with the
hints and the insight. In another language it lies beside the English one, as ``text.zh.md`` for Chinese; it need not.
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
    "Mistake",
    "Statement",
    "answer_in",
    "answers_in",
    "folder_of",
    "mistakes_in",
    "parse_mistake",
    "parse_statement",
    "statement_in",
]

_T = TypeVar("_T")

_CELL = re.compile(r"^# %%\n", re.MULTILINE)
_SAYS = "# The checker says: "


@dataclass(frozen=True, repr=False)
class Mistake(Shown):
    """A wrong answer that people give.

    Attributes
    ----------
    name : str
        What is wrong with it. ``"hard_coded"`` for an answer that returns what it was seen to return.
    code : str
        The answer cell.
    says : str
        A part of the message that it gets, and that no other mistake of the exercise gets.
    """

    name: str
    code: str
    says: str


@dataclass(frozen=True, repr=False)
class Statement(Shown):
    """What an exercise says.

    Attributes
    ----------
    title : str
        A few words.
    task : str
        What to do, in Markdown.
    hints : tuple of str
        From the gentle to the plain.
    insight : str
        What a right answer has shown, in a sentence.
    """

    title: str
    task: str
    hints: tuple[str, ...]
    insight: str


def folder_of(module: str) -> Traversable:
    """Return the folder of a module, named as in ``__name__``."""
    chapter, folder, _ = module.rsplit(".", 2)
    return files(chapter) / folder


def parse_statement(text: str) -> Statement:
    r"""Return what a ``text.md`` says.

    Examples
    --------
    >>> statement = parse_statement("# Add\n\nWrite `add`.\n\n## Hints\n\n- Try\n  `+`.\n\n## Insight\n\nIt adds.\n")
    >>> statement.title, statement.task, statement.hints, statement.insight
    ('Add', 'Write `add`.', ('Try `+`.',), 'It adds.')
    """
    found = re.fullmatch(r"# ([^\n]+)\n(.+?)\n## Hints\n(.+?)\n## Insight\n(.+)", text, flags=re.DOTALL)
    if found is None:
        raise ValueError("a statement is a title, a task, and the sections `## Hints` and `## Insight`")
    title, task, hints, insight = found.groups()
    items = re.split(r"^- ", hints, flags=re.MULTILINE)[1:]
    return Statement(title, task.strip(), tuple(_on_one_line(hint) for hint in items), _on_one_line(insight))


def _on_one_line(paragraph: str) -> str:
    return " ".join(paragraph.split())


def _answer_of(source: str) -> str:
    _, *answer = _CELL.split(source, maxsplit=1)
    if not answer:
        raise ValueError("the line `# %%`, below which the answer begins, is missing")
    return answer[0]


def parse_mistake(name: str, source: str) -> Mistake:
    r"""Return the mistake that a file holds.

    Examples
    --------
    >>> parse_mistake("empty", "# The checker says: no result\n\n# %%\ndef add(a, b):\n    pass\n")
    Mistake(name='empty', code='def add(a, b):\n    pass\n', says='no result')
    """
    first, _, _ = source.partition("\n")
    if not first.startswith(_SAYS):
        raise ValueError(f"the first line does not begin with {_SAYS!r}")
    return Mistake(name, _answer_of(source), first.removeprefix(_SAYS))


def _parsed(parse: Callable[[str], _T], path: Traversable) -> _T:
    try:
        return parse(path.read_text("utf-8"))
    except ValueError as error:
        error.add_note(f"in {path}")
        raise


def statement_in(folder: Traversable, lang: str = "en") -> Statement:
    """Return what an exercise says in a language: what is in its ``text.md``, if it has no text in that one."""
    translated = folder / f"text.{lang}.md"
    return _parsed(parse_statement, translated if translated.is_file() else folder / "text.md")


def answer_in(folder: Traversable, name: str) -> str:
    """Return the answer cell that the file ``name.py`` holds."""
    return _parsed(_answer_of, folder / f"{name}.py")


def answers_in(folder: Traversable, kind: str) -> dict[str, str]:
    """Return further answers by their names: ``"right"`` ones in other styles, or ``"wrong"`` ones of any kind."""
    inside = folder / kind
    names = [f.name.removesuffix(".py") for f in inside.iterdir() if f.name.endswith(".py")] if inside.is_dir() else []
    return {name: answer_in(inside, name) for name in sorted(names)}


def mistakes_in(folder: Traversable) -> tuple[Mistake, ...]:
    """Return the mistakes of an exercise, in the order of their names."""
    found = {f.name.removesuffix(".py"): f for f in (folder / "mistakes").iterdir() if f.name.endswith(".py")}
    return tuple(_parsed(lambda text, n=name: parse_mistake(n, text), found[name]) for name in sorted(found))
