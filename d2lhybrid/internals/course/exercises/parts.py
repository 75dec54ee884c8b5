"""The parts of a check. Each part tests one property of an answer, and has its own points."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence

from ...support.words import translate
from ..probing import AnswerError
from .results import Part, Wrong

__all__ = ["ODD_DATA", "Parts"]

#: The message about a reply with another structure than a check assumes.
ODD_DATA = "The result has the wrong type or structure ({error})."


class Parts:
    """The progress of a check through the parts that it tests.

    Parameters
    ----------
    names : sequence of str
        Names of the parts, from the exercise.
    all_of_them : bool
        Whether to continue with the other parts after a failure. If not, the first failure ends the check.
    odd_data : tuple of type
        Errors that a check raises for a reply with an unexpected structure. With `all_of_them`, such an error counts as
        a failure of the current part.

    Attributes
    ----------
    current : str
        Name of the current part; empty between parts.
    complete : bool
        Whether the check is complete. Until then, parts without a failure may still fail.

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
        """Return a context manager whose body tests the part `name`; if a part has several bodies, all must pass.

        With `all_of_them`, failures are recorded instead of raised.
        """
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
        """Count a question, and return the current part and the question's number in this part, starting at 1."""
        self._asked[self.current] += 1
        return self.current, self._asked[self.current]

    def raise_first(self) -> None:
        """Raise the error of the first part that failed, if any."""
        for failure in self.failures.values():
            raise failure

    def outcome(self) -> tuple[Part, ...]:
        """Return the result of each part; the result of an untested part is "not reached"."""
        return tuple(self._outcome(name) for name in self.names)

    def _outcome(self, name: str) -> Part:
        failure = self.failures.get(name)
        if failure is not None:
            return Part(name, False, str(failure))
        return Part(name, name in self.tried, "" if name in self.tried else translate("This part was not reached."))
