"""Minification of scripts, because every picture stores a copy of its script."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["tight"]

#: The tokens of JavaScript: a "string", a /regular expression/, whitespace, a word or number, or another character.
_TEXT, _PATTERN = r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'""", r"/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+/[a-z]*"
_REST = r"(?P<space>\s+)|[\w$]+|."
_PART = re.compile(rf"(?P<text>{_TEXT})|{_REST}", re.DOTALL)
_OR_PATTERN = re.compile(rf"(?P<text>{_TEXT}|{_PATTERN})|{_REST}", re.DOTALL)
#: The characters of a `template ${value}` up to the end of the template or to a value.
_LETTERS = re.compile(r"(?:\\.|\$(?!\{)|[^`\\$])*(`|\$\{)", re.DOTALL)
#: A line break is insignificant before and after these characters; after others, it may end a statement.
_GOES_ON_BEFORE, _GOES_ON_BEHIND = frozenset("})],;.?:&|="), frozenset("{([,;=?:&|>")
#: A slash starts a regular expression after these words; after others, and after values, it is a division.
_BEFORE_VALUES = frozenset({"return", "typeof", "case", "in", "of"})


def tight(script: str) -> str:
    r"""Return a script without insignificant whitespace. Strings and regular expressions stay unchanged.

    Examples
    --------
    >>> tight('const f = ({ a, b }) => (a ? "x = y" : b / 2);\nreturn a;\n')
    'const f=({a,b})=>(a?"x = y":b/2);return a;'
    >>> tight("const f = () => {}\nf(`a = ${b ? `c = ${ d }` : 1}`);")
    'const f=()=>{}\nf(`a = ${b?`c = ${d}`:1}`);'
    """
    made, before = [], ""
    for space, part in _parts(script):
        made += [_kept(before, space, part), part]
        before = part
    return "".join(made)


def _parts(script: str) -> Iterator[tuple[str, str]]:
    """Yield the tokens of a script, each with the whitespace before it."""
    before, space, at = "", "", 0
    values: list[int] = []  # number of open braces in the value of each open `template ${value}`
    while at < len(script):
        divides = before[-1:] in (")", "]", "}", '"', "'", "`") or (_is_word(before) and before not in _BEFORE_VALUES)
        found = (_PART if divides else _OR_PATTERN).match(script, at)
        assert found is not None
        part, at = found[0], found.end()
        if found["space"]:
            space = part
            continue
        if values and part in "{}":
            values[-1] += 1 if part == "{" else -1
        if part == "`" or (values and values[-1] < 0):  # a template starts, or continues after a value
            if part == "}":
                values.pop()
            letters = _LETTERS.match(script, at)
            assert letters is not None, "a string is not closed"
            part, at = part + letters[0], letters.end()
            if letters[1] == "${":
                values.append(0)
        yield space, part
        before, space = part, ""


def _kept(before: str, space: str, part: str) -> str:
    """Return the part of the whitespace between two tokens that the script needs."""
    if not space or not before:
        return ""
    if "\n" in space and before[-1] not in _GOES_ON_BEHIND and part[0] not in _GOES_ON_BEFORE:
        return "\n"
    between_words = _is_word(before[-1]) and (_is_word(part[0]) or (part[0] == "/" and len(part) > 1))
    if between_words or (before[-1] == part[0] and part[0] in "+-/"):
        return " "
    return ""


def _is_word(text: str) -> bool:
    return bool(re.fullmatch(r"[\w$]+", text))
