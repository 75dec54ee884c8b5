"""Sentences of pictures, recognized by the texts from which they are made, so that each can be compared with a run."""

from __future__ import annotations

import ast
import html
import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import d2lhybrid
from d2lhybrid.internals.support import words
from d2lhybrid.internals.support.plural import agree
from d2lhybrid.internals.support.settings import settings

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


def plain(page: str, between: str = "\n") -> str:
    """Return the text of a page, with a line for each element, or with other letters in place of each tag.

    Examples
    --------
    >>> plain("<p>1 &lt; <b>2</b></p>").split()
    ['1', '<', '2']
    """
    return html.unescape(re.sub(r"<[^>]*>", between, page))


class Ledger:
    """The sentences of some files, and the scenes that compare them with what ran.

    A scene runs something, and says of a text which of the sentences are in it, and with which values. For each
    sentence, it does so twice: in another case, the sentence has other values, or must not be there.

    Parameters
    ----------
    texts : set of str
        The sentences, from :func:`texts_in`.
    """

    def __init__(self, texts: set[str]) -> None:
        self.texts = texts
        self.scenes: dict[str, Callable[..., None]] = {}
        self.compared: set[str] = set()
        self._declared: dict[str, tuple[set[str], set[str]]] = {}
        self._told: dict[str, set[Any]] = {}

    def scene(self, *texts: str, always: Iterable[str] = ()) -> Callable[[Callable[..., None]], Callable[..., None]]:
        """Note a scene and its sentences; those in ``always`` are explanations that have no other case."""

        def note(play: Callable[..., None]) -> Callable[..., None]:
            self.scenes[play.__name__] = play
            self._declared[play.__name__] = set(texts), set(always)
            self.compared |= {*texts, *always}
            return play

        return note

    def play(self, name: str, lang: str, **available: Any) -> None:
        """Run a scene in a language, with those of the fixtures that it takes."""
        self._told.clear()
        scene, (texts, always) = self.scenes[name], self._declared[name]
        with d2lhybrid.config(lang=lang):
            scene(**{key: available[key] for key in inspect.signature(scene).parameters})
        assert set(self._told) == texts | always
        without = [text for text in texts if len(self._told[text]) < 2]
        assert not without, f"there is no other case of {without}"

    def says(self, shown: str, text: str, /, **values: object) -> None:
        """Require a sentence with these values in a text, in the current language."""
        wanted = words.translate(text, **values)
        before = r"(?<![0-9A-Za-z.,])" if re.match("[0-9A-Za-z]", wanted) else ""
        after = r"(?![0-9A-Za-z])" if re.search("[0-9A-Za-z]$", wanted) else ""
        assert re.search(f"{before}{re.escape(wanted)}{after}", shown), f"{wanted!r} is not in {shown!r}"
        self._told.setdefault(text, set()).add(wanted)

    def never(self, shown: str, text: str) -> None:
        """Require that a sentence is not in a text, with no values."""
        found = _with_any_values(text, settings.lang).search(shown)
        assert not found, f"{found and found[0]!r} is in {shown!r}"
        self._told.setdefault(text, set()).add(None)


@cache
def _with_any_values(text: str, lang: str) -> re.Pattern[str]:
    several = words._CHINESE[text] if lang == "zh" else text
    forms = {several, several if lang == "zh" else agree(text, dict.fromkeys(_PLACE.findall(text), 1))}
    return re.compile("|".join(".{1,80}?".join(map(re.escape, _PLACE.split(form)[::2])) for form in sorted(forms)))
