"""Printable text: characters that the terminal's encoding lacks are replaced.

The encoding of a terminal or an output file may be cp1252 or ASCII, in which ``print`` fails at the first ``→``.
Therefore, a class whose text may contain such characters decorates its ``__str__`` with :func:`printed`.
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

#: The replacements of characters, of equal width if columns depend on it. Other characters become ``\\u....``.
_SPELLINGS = dict(zip("·×–─█▓●○■□✓✗▶µ⊞⊟❄∂∘√≈“”‘’", ".x--#=*o#.vx>u+-*dov~\"\"''", strict=True)) | {
    "→": "->", "←": "<-", "…": "...", "²": "^2", "³": "^3", "ᵀ": "^T", "π": "pi", "≤": "<=", "≥": ">=", "≠": "!=",
}  # fmt: skip

#: The name of the error handler for codecs.
_ERRORS = "d2lhybrid.spell"


def _spell(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    characters = error.object[error.start : error.end]
    spelled = (_SPELLINGS.get(c) or c.encode("ascii", "backslashreplace").decode() for c in characters)
    return "".join(spelled), error.end


codecs.register_error(_ERRORS, _spell)


def printable(text: str, stream: TextIO | None = None) -> str:
    r"""Return a text with only the characters that a stream can encode.

    Parameters
    ----------
    text : str
        Any text.
    stream : TextIO, optional
        The output stream; by default ``sys.stdout``.

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
    except (LookupError, UnicodeError):  # an unknown encoding, or a lone surrogate
        return text


def printed(method: _Method) -> _Method:
    """Decorate a ``__str__`` or ``__repr__`` method, so that ``sys.stdout`` can encode its result.

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
    """Make streams replace characters that they can't encode. Only the streams' owner may call this function."""
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors=_ERRORS)
