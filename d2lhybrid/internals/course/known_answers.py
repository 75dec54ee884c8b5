"""Answers known to be right or wrong, with which tests verify the checks.

Each exercise has a folder of them: ``right/*.py``, ``wrong/*.py``, and ``mistakes/*.py``, whose first line holds a part
of what the checker has to say. Our own are in ``tests/answers/CHAPTER/NAME``, which no wheel brings.
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
    """A wrong answer that people give.

    Attributes
    ----------
    name : str
        The mistake. ``"hard_coded"`` for an answer that returns recorded results.
    code : str
        The answer cell.
    says : str
        A part of the message that it gets, and that no other mistake of the exercise gets.
    """

    name: str
    code: str
    says: str


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
    return Mistake(name, parse_answer(source), first.removeprefix(_SAYS))


def _programs_in(folder: Traversable) -> dict[str, Traversable]:
    found = [file for file in folder.iterdir() if file.name.endswith(".py")] if folder.is_dir() else []
    return {file.name.removesuffix(".py"): file for file in sorted(found, key=lambda file: file.name)}


def answers_in(folder: Traversable, kind: str) -> dict[str, str]:
    """Return further answers by their names: ``"right"`` ones in other styles, or ``"wrong"`` ones of any kind."""
    return {name: answer_in(folder / kind, name) for name in _programs_in(folder / kind)}


def mistakes_in(folder: Traversable) -> tuple[Mistake, ...]:
    """Return the mistakes of an exercise, in the order of their names."""
    found = _programs_in(folder / "mistakes")
    return tuple(parsed(lambda text, n=name: parse_mistake(n, text), path) for name, path in found.items())
