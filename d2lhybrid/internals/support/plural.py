"""Numbers and articles that agree with their nouns: "1 call", "2 calls"; "a list", "an int"."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping

__all__ = ["agree", "counted"]

#: The nouns that follow a placeholder such as ``{n}`` in texts of this package. Other words that end in s may be verbs.
_NOUNS = {
    *(
        "additions",
        "arrays",
        "bytes",
        "calls",
        "changes",
        "characters",
        "columns",
        "elements",
        "epochs",
        "examples",
        "exercises",
    ),
    *("files", "frames", "heads", "inputs", "kernels", "launches", "letters", "lines", "matches", "notebooks"),
    *("operators", "outputs", "parameters", "parts", "points", "programs", "rounds", "rows", "runs", "seconds"),
    *("steps", "students", "submissions", "things", "times", "traces", "units", "values", "boxes", "buffers"),
    *("instructions", "layers", "nodes", "weights"),
}
#: The singular of verbs that follow such a noun.
_VERBS = {" are": " is", " were": " was", " have": " has"}
_ARTICLE = re.compile(r"\b([Aa]) (?=\{(\w+)\})")
#: Names before which the article is "an", such as "int" and "NDArray".
_VOWEL = re.compile(r"[aeioAEIO]|NDA")
_PLACE = re.compile(r"\{(\w+)(?::[^{}]*)?\} (?:more |other )?([a-z]+)\b( are\b| were\b| have\b)?")


def counted(count: float, noun: str) -> str:
    """Return a number, followed by its noun in the singular or the plural.

    Parameters
    ----------
    count : float
        The number.
    noun : str
        The noun in the singular.

    Returns
    -------
    str
        The number and the noun.

    Examples
    --------
    >>> counted(1, "call"), counted(2, "call"), counted(0, "match")
    ('1 call', '2 calls', '0 matches')
    """
    return (
        f"{count} {noun}" if count == 1 else f"{count} {noun}{'es' if noun.endswith(('ch', 'sh', 's', 'x')) else 's'}"
    )


@functools.cache
def _singular(noun: str) -> str:
    return noun[:-2] if noun.endswith(("ches", "shes", "sses", "xes")) else noun[:-1]


def agree(text: str, values: Mapping[str, object]) -> str:
    """Return a text with placeholders, in which nouns and articles agree with the values.

    After each placeholder whose value is 1, a known noun and its verb are in the singular. Before a placeholder whose
    value starts with a vowel sound, the article is "an".

    Parameters
    ----------
    text : str
        The text, with plural nouns.
    values : mapping of str to object
        The value of each placeholder.

    Returns
    -------
    str
        The text, whose placeholders are unchanged.

    Examples
    --------
    >>> agree("{n} more calls of {m} programs", {"n": 1, "m": 2})
    '{n} more call of {m} programs'
    >>> agree("{n} steps are left out", {"n": 1})
    '{n} step is left out'
    >>> agree("a {type}, not a {name}", {"type": "int", "name": "list"})
    'an {type}, not a {name}'
    """

    def one(found: re.Match[str]) -> str:
        noun = found[2]
        if noun not in _NOUNS or values.get(found[1]) not in (1, "1"):
            return found[0]
        return found[0][: found.start(2) - found.start()] + _singular(noun) + _VERBS.get(found[3], "")

    def article(found: re.Match[str]) -> str:
        return f"{found[1]}n " if _VOWEL.match(str(values.get(found[2], ""))) else found[0]

    return _ARTICLE.sub(article, _PLACE.sub(one, text))
