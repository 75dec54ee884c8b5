"""The limits and the mark of an answer, and the report on a submission."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..exercises.results import Part, State

__all__ = ["Limits", "Mark", "Report", "tidy"]


def tidy(points: float) -> float:
    """Return points rounded to two decimals, as an integer if possible.

    Examples
    --------
    >>> tidy(2 / 3), tidy(2.0)
    (0.67, 2)
    """
    rounded = round(points, 2)
    return int(rounded) if rounded == int(rounded) else rounded


@dataclass(frozen=True)
class Limits:
    """The limits on the time and the memory of one answer.

    Attributes
    ----------
    seconds : float
        Maximum elapsed time, and maximum processor time, in seconds.
    memory : int
        Maximum address space in bytes.
    checking : float
        Additional seconds for the checker to judge the result; by default, as many as for the answer, but at least
        10.
    trusted : bool
        Whether answers also run if the system cannot block their access to files.
    """

    seconds: float = 20.0
    memory: int = 2 * 2**30
    checking: float = 0.0
    trusted: bool = False

    def __post_init__(self) -> None:
        if not self.checking:
            object.__setattr__(self, "checking", max(10.0, self.seconds))


@dataclass(frozen=True)
class Mark:
    """The mark of one answer.

    Attributes
    ----------
    number : str
        Number of the exercise.
    state : str
        ``"right"``, ``"wrong"``, ``"error"``, ``"not attempted"``, or ``"needs a look"`` if a person must decide.
    points, out_of : float
        Points, and maximum points. The points are 0 while a person must still mark the exercise.
    message : str
        Reason for the mark.
    details : list of str
        Further help, such as the line that raised an error, and the notes of the error.
    parts : list of Part
        Results of the parts of the check, if all were tested.
    worth : list of float
        Points for each part; empty if the parts are not marked separately.
    missing : bool
        Whether the submission does not contain the exercise.
    """

    number: str
    state: str
    points: float
    out_of: float
    message: str
    details: list[str] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    worth: list[float] = field(default_factory=list)
    missing: bool = False


@dataclass(frozen=True)
class Report:
    """All marks of one submission.

    Attributes
    ----------
    name : str
        Name of the submission.
    marks : list of Mark
        Marks, one for each requested exercise.
    problem : str
        Reason why no exercise could be marked; empty if exercises could be marked.
    seed : int
        Seed of the random inputs; the same seed gives the same inputs.
    lost : bool
        Whether the machine that marked the submission failed, so that the submission must be marked again.
    """

    name: str
    marks: list[Mark]
    problem: str = ""
    seed: int = 0
    lost: bool = False

    @property
    def points(self) -> float:
        """The total points, without the exercises that a person must still mark."""
        return tidy(sum(mark.points for mark in self.marks))

    @property
    def out_of(self) -> float:
        """The maximum total of points."""
        return tidy(sum(mark.out_of for mark in self.marks))

    @property
    def unclear(self) -> list[str]:
        """The numbers of the exercises that a person must still mark."""
        return [mark.number for mark in self.marks if mark.state == State.NEEDS_A_LOOK.value]
