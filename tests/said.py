"""Sentences of pictures, recognized by the texts from which they are made, so that each can be compared with a run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import d2lhybrid
from d2lhybrid.internals.support import words
from d2lhybrid.internals.support.plural import agree

PICTURES = Path(d2lhybrid.__file__).parent / "internals" / "pictures"
#: A text that is no label: it ends as a sentence does, or has a place for a value.
_SENTENCE = re.compile(r"[.:!?]\Z|\{\w+", re.DOTALL)
_PLACE = re.compile(r"{(\w+)(?:![rsa])?(?::[^{}]*)?}")


def texts_in(*files: str) -> set[str]:
    """Return the sentences that some files of the pictures can show: their translated strings that are no labels.

    The patterns name files below ``internals/pictures``; files with translations alone are left out.
    """
    found = set()
    for path in sorted({path for pattern in files for path in PICTURES.glob(pattern)}):
        if path.stem == "chinese":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in words._CHINESE:
                found.add(node.value)
    return {text for text in found if _SENTENCE.search(text)}


@cache
def _expression(text: str) -> re.Pattern[str]:
    """Return the expression for a formatted text, whose nouns may be in the singular."""
    several, single = text, agree(text, dict.fromkeys(_PLACE.findall(text), 1))
    pieces, named = [], set[str]()
    for many, one in zip(several.split(" "), single.split(" "), strict=True):
        first = _literal(many, named)
        pieces.append(first if many == one else f"(?:{first}|{_literal(one, named)})")
    return re.compile(" ".join(pieces), re.DOTALL)


def _literal(word: str, named: set[str]) -> str:
    found, at = "", 0
    for place in _PLACE.finditer(word):
        found += re.escape(word[at : place.start()])
        found += f"(?P<{place[1]}>.*)" if place[1] not in named else f"(?P={place[1]})"
        named.add(place[1])
        at = place.end()
    return found + re.escape(word[at:])


Said = list[tuple[str, dict[str, str]]]


def parsed(said: str, texts: Iterable[str]) -> Said:
    """Return the texts that a displayed text was made from, each with its values, in order.

    Examples
    --------
    >>> parsed("It ran 1 time. It is red.", ["It ran {n} times.", "It is {colour}."])
    [('It ran {n} times.', {'n': '1'}), ('It is {colour}.', {'colour': 'red'})]
    """
    known = sorted(texts, key=lambda text: -len(_PLACE.sub("", text)))
    return next(_parses(said.strip(), known), []) if said.strip() else []


def _parses(said: str, known: list[str]) -> Iterator[Said]:
    ends = [m.end() - 1 for m in re.finditer(r"[.:!?)](?= )", said)] + [len(said)]
    for end in (m + 1 if m < len(said) else m for m in ends):
        head, rest = said[:end], said[end:].strip()
        for text in known:
            match = _expression(text).fullmatch(head)
            if match is None:
                continue
            first = (text, match.groupdict())
            if not rest:
                yield [first]
            for others in _parses(rest, known) if rest else ():
                yield [first, *others]
