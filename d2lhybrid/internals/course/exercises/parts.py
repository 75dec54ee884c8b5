"""The parts of a check: each is a separate property of an answer, and is marked separately."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence

from ...support.words import translate
from ..probing import AnswerError
from .results import Part, Wrong

__all__ = ["ODD_DATA", "Parts"]

#: What is said of data of another kind than a check takes for granted.
ODD_DATA = "The result has the wrong type ({error})."


class Parts:
    """Tries the parts of a check, one after the other.

    Parameters
    ----------
    names : sequence of str
        What the parts are called, as the exercise says.
    all_of_them : bool
        Whether to go on with the other parts where one fails. Otherwise the first failure ends the check.
    odd_data : tuple of type
        What a check raises when data comes back of another kind than it takes for granted: where other parts are tried,
        this is a failure of the part like others.

    Attributes
    ----------
    current : str
        The part that is being tried; empty between them.
    complete : bool
        Whether the check is complete. Otherwise, each part might still have failed.

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

    names: list[str]
    all_of_them: bool
    odd_data: tuple[type[Exception], ...]

    def __init__(
        self, names: Sequence[str] = (), all_of_them: bool = False, odd_data: tuple[type[Exception], ...] = ()
    ) -> None:
        self.names, self.all_of_them, self.odd_data = list(names), all_of_them, odd_data
        self.current = ""
        self._asked: Counter[str] = Counter()
        self.tried: dict[str, None] = {}
        self.failures: dict[str, Wrong | AnswerError] = {}
        self.complete = False

    @contextlib.contextmanager
    def trying(self, name: str) -> Iterator[None]:
        """Try a part in a block; one that is tried several times has to hold each time."""
        self.tried[name] = None
        self.current = name
        try:
            yield
        except (Wrong, AnswerError) as failure:
            if not self.all_of_them:
                raise
            self.failures.setdefault(name, failure)
        except self.odd_data as error:
            if not self.all_of_them:
                raise
            self.failures.setdefault(name, Wrong(ODD_DATA, error=error))
        finally:
            self.current: str = ""

    def next_question(self) -> tuple[str, int]:
        """Count one more question; return in which part it is asked, and which it is there."""
        self._asked[self.current] += 1
        return self.current, self._asked[self.current]

    def raise_first(self) -> None:
        """Raise the error of the first part that failed, if any."""
        for failure in self.failures.values():
            raise failure

    def outcome(self) -> tuple[Part, ...]:
        """Return what became of each part; one that was never tried has not been reached."""
        return tuple(self._outcome(name) for name in self.names)

    def _outcome(self, name: str) -> Part:
        failure = self.failures.get(name)
        if failure is not None:
            return Part(name, False, str(failure))
        return Part(name, name in self.tried, "" if name in self.tried else translate("It was not reached."))
