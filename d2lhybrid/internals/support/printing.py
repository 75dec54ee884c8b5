"""What is printed fits the terminal: characters that its encoding lacks are spelled with those that it has.

A terminal, or a file that output is sent to, may know only cp1252 or ASCII; ``print`` fails there with the first ``×``.
Every class of this package whose text may hold such characters marks its ``__str__`` with :func:`printed`.
"""

from __future__ import annotations

import codecs
import functools
import io
import sys
from collections.abc import Callable
from typing import Any, TextIO, TypeVar, cast

__all__ = ["printable", "printed", "spell_on"]

_Method = TypeVar("_Method", bound=Callable[..., str])

#: How characters are spelled, as wide as they are where columns depend on it. All others become ``\\u....``.
_SPELLINGS = dict(zip("·×–─█▓●○■□✓✗▶µ⊞⊟❄∂∘√≈“”‘’", ".x--#=*o#.vx>u+-*dov~\"\"''", strict=True)) | {
    "→": "->", "←": "<-", "…": "...", "²": "^2", "³": "^3", "ᵀ": "^T", "π": "pi", "≤": "<=", "≥": ">=", "≠": "!=",
}  # fmt: skip

#: The name under which codecs know how to spell.
_ERRORS = "d2lhybrid.spell"


def _spell(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    characters = error.object[error.start : error.end]
    spelled = (_SPELLINGS.get(c) or c.encode("ascii", "backslashreplace").decode() for c in characters)
    return "".join(spelled), error.end


codecs.register_error(_ERRORS, _spell)


def printable(text: str, stream: TextIO | None = None) -> str:
    r"""Return a text with the characters that a stream can take.

    Parameters
    ----------
    text : str
        Any text.
    stream : TextIO, optional
        Where it will be printed; by default ``sys.stdout``.

    Examples
    --------
    >>> import io
    >>> printable("2×256 → 中", io.TextIOWrapper(io.BytesIO(), "cp1252"))
    '2×256 -> \\u4e2d'
    >>> printable("2×256 → 中", io.TextIOWrapper(io.BytesIO(), "utf-8"))
    '2×256 → 中'
    """
    encoding = getattr(sys.stdout if stream is None else stream, "encoding", None)
    if text.isascii() or not isinstance(encoding, str):
        return text
    try:
        return text.encode(encoding, _ERRORS).decode(encoding)
    except (LookupError, UnicodeError):  # not an encoding of texts, or a half of a pair of surrogates
        return text


def printed(method: _Method) -> _Method:
    """Decorate a ``__str__`` or ``__repr__``: what it returns can be printed wherever the program runs.

    Examples
    --------
    >>> class Arrow:
    ...     @printed
    ...     def __repr__(self):
    ...         return "->"
    >>> Arrow()
    ->
    """

    @functools.wraps(method)
    def fitting(self: Any) -> str:
        return printable(method(self))

    return cast("_Method", fitting)


def spell_on(*streams: TextIO | None) -> None:
    """Have streams spell what they cannot encode instead of failing; for programs that own their streams."""
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors=_ERRORS)
