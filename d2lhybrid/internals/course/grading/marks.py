"""Limits and mark of one answer, and all marks of a submission."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..exercises.results import Part, State

__all__ = ["Limits", "Mark", "Report", "tidy"]


def tidy(points: float) -> float:
    """Return points with two decimals, as a whole number if they are one.

    Examples
    --------
    >>> tidy(2 / 3), tidy(2.0)
    (0.67, 2)
    """
    rounded = round(points, 2)
    return int(rounded) if rounded == int(rounded) else rounded


@dataclass(frozen=True)
class Limits:
    """The resource limits of one answer.

    Attributes
    ----------
    seconds : float
        Elapsed time, and processor time.
    memory : int
        Bytes of address space.
    checking : float
        Additional seconds for the checker to judge the result; by default, as many as for the answer, and at least
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
        The exercise.
    state : str
        ``"right"``, ``"wrong"``, ``"error"``, ``"not attempted"``, or ``"needs a look"`` if only a person can tell.
    points : float
    out_of : float
        The mark; no points if a person has to decide.
    message : str
        Why.
    details : list of str
        More of it.
    parts : list of Part
        What became of each part of the check, if they were all tried.
    worth : list of float
        What each of them counts; empty where all count as one.
    missing : bool
        Whether there is no such exercise in what was handed in.
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
        Whose it is.
    marks : list of Mark
        One for each requested exercise.
    problem : str
        Why nothing could be marked, if so.
    seed : int
        What the random inputs were made from: the same seed gives the same inputs again.
    lost : bool
        Whether the machines failed, and not the submission: it is to be marked again.
    """

    name: str
    marks: list[Mark]
    problem: str = ""
    seed: int = 0
    lost: bool = False

    @property
    def points(self) -> float:
        """The sum of the points; an exercise that needs a look counts nothing until its mark is set."""
        return tidy(sum(mark.points for mark in self.marks))

    @property
    def out_of(self) -> float:
        """The most that could have been."""
        return tidy(sum(mark.out_of for mark in self.marks))

    @property
    def unclear(self) -> list[str]:
        """The exercises at which a person has to look."""
        return [mark.number for mark in self.marks if mark.state == State.NEEDS_A_LOOK.value]
