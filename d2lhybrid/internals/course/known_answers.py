"""Answers known to be right or wrong, which tests use to verify checks.

Each exercise has a folder with ``right/*.py``, ``wrong/*.py``, and ``mistakes/*.py``. The first line of a mistake is a
comment with a part of the checker's message. Our own answers are in ``tests/answers/CHAPTER/NAME``, which wheels do
not contain.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources.abc import Traversable

from ..support.display import Shown
from .exercises.files import answer_in, parse_answer, parsed

__all__ = ["Mistake", "answers_in", "mistakes_in", "parse_mistake"]

_SAYS = "# The checker says: "


@dataclass(frozen=True, repr=False)
class Mistake(Shown):
    """A common wrong answer.

    Attributes
    ----------
    name : str
        Name of the mistake, such as ``"hard_coded"`` for an answer that returns recorded results.
    code : str
        Source of the answer cell.
    says : str
        A part of the checker's message that is unique among the mistakes of the exercise.
    """

    name: str
    code: str
    says: str


def parse_mistake(name: str, source: str) -> Mistake:
    r"""Parse the text of a mistake's file: a part of the expected message in the first line, then the answer cell.

    Parameters
    ----------
    name : str
        Name of the mistake.
    source : str
        Text of the file.

    Returns
    -------
    Mistake
        The name, the answer cell, and the expected part of the message.

    Raises
    ------
    ValueError
        If the first line does not begin with ``# The checker says: ``.

    Examples
    --------
    >>> parse_mistake("empty", "# The checker says: no result\n\n# %%\ndef add(a, b):\n    pass\n")
    Mistake(name='empty', code='def add(a, b):\n    pass\n', says='no result')
    """
    first, _, _ = source.partition("\n")
    if not first.startswith(_SAYS):
        raise ValueError(f"the first line does not begin with {_SAYS!r}")
    return Mistake(name, parse_answer(source), first.removeprefix(_SAYS))


def _programs_in(folder: Traversable) -> dict[str, Traversable]:
    found = [file for file in folder.iterdir() if file.name.endswith(".py")] if folder.is_dir() else []
    return {file.name.removesuffix(".py"): file for file in sorted(found, key=lambda file: file.name)}


def answers_in(folder: Traversable, kind: str) -> dict[str, str]:
    """Return the known answers in the subfolder ``kind``, ``"right"`` or ``"wrong"``: the code by file name."""
    return {name: answer_in(folder / kind, name) for name in _programs_in(folder / kind)}


def mistakes_in(folder: Traversable) -> tuple[Mistake, ...]:
    """Return the mistakes of an exercise, sorted by name."""
    found = _programs_in(folder / "mistakes")
    return tuple(parsed(lambda text, n=name: parse_mistake(n, text), path) for name, path in found.items())
