"""Notes of errors, which explain MXNet's messages and say what to do."""

from __future__ import annotations

from typing import TypeVar

__all__ = ["with_note"]

E = TypeVar("E", bound=BaseException)


def with_note(error: E, note: str) -> E:
    """Add a note to an error, and return the error.

    Parameters
    ----------
    error : BaseException
        The error.
    note : str
        The note, a sentence.

    Examples
    --------
    >>> with_note(ValueError("Unknown random type"), "rnd_type must be 'uniform' or 'gaussian'.").__notes__
    ["rnd_type must be 'uniform' or 'gaussian'."]
    """
    error.add_note(note)
    return error
