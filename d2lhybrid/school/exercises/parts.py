"""The parts of a check: each is a property of its own, that an answer has or lacks, and that counts by itself."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from ..probing import AnswerError
from .results import Part, Wrong

__all__ = ["Parts"]


class Parts:
    """Tries the parts of a check, one after the other.

    Parameters
    ----------
    names : sequence of str
        What the parts are called, as the exercise says.
    all_of_them : bool
        Whether to go on with the other parts where one fails. Otherwise the first failure ends the check.

    Attributes
    ----------
    complete : bool
        Whether the check has come to its end. Where it has not, each part might still have failed.

    Examples
    --------
    >>> parts = Parts(["sum", "order"], all_of_them=True)
    >>> with parts.trying("sum"):
    ...     raise Wrong("It is 3.")
    >>> with parts.trying("order"):
    ...     pass
    >>> [(part.name, part.right) for part in parts.outcome()]
    [('sum', False), ('order', True)]
    """

    def __init__(self, names: Sequence[str] = (), all_of_them: bool = False) -> None:
        self.names, self.all_of_them = list(names), all_of_them
        self.tried: dict[str, None] = {}
        self.failures: dict[str, Wrong | AnswerError] = {}
        self.complete = False

    @contextlib.contextmanager
    def trying(self, name: str) -> Iterator[None]:
        """Try a part in a block; one that is tried several times has to hold each time."""
        self.tried[name] = None
        try:
            yield
        except (Wrong, AnswerError) as failure:
            if not self.all_of_them:
                raise
            self.failures.setdefault(name, failure)

    def raise_first(self) -> None:
        """Raise what the first part has raised that failed, if one has."""
        for failure in self.failures.values():
            raise failure

    def outcome(self) -> tuple[Part, ...]:
        """Return what became of each part; one that was never tried has not been reached."""
        return tuple(self._outcome(name) for name in self.names)

    def _outcome(self, name: str) -> Part:
        failure = self.failures.get(name)
        if failure is not None:
            return Part(name, False, str(failure))
        return Part(name, name in self.tried, "" if name in self.tried else "It was not reached.")
