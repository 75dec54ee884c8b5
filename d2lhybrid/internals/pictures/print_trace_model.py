"""The data of a PrintTrace: the user's functions, and the observations of each call."""

from __future__ import annotations

import ast
import types
from dataclasses import dataclass, field

from ..support.display import Shown
from ..support.places import Place
from .check.source_reading import Function, codes_of
from .line_watcher import Visit
from .listing import Listing
from .reasons import Frozen

__all__ = ["Call", "Source", "lines_of"]


@dataclass(repr=False)
class Source(Shown):
    """The source of a user's function.

    Attributes
    ----------
    code : code object
        Code of the function.
    listing : Listing
        Lines of the function.
    lines : set of int
        Numbers of the lines that can run.
    """

    code: types.CodeType
    listing: Listing
    lines: set[int]


@dataclass(repr=False)
class Call(Shown):
    """A call of the net.

    Attributes
    ----------
    number : int
        Number of the call, from 1.
    kind, reason : str
        ``"eager"``, ``"traced"``, ``"recompiled"``, ``"compiled"``, or ``"failed"``, and the reason in one sentence.
    before : list of str
        Changes to the net since the previous call, such as ``"net.hybridize()"``.
    inputs, output, error, printed : str
        Inputs, output, error, and printed text of the call.
    visits : list of Visit
        Runs of the user's functions.
    recorded : dict
        The operators of each line in the graph, by (file, line).
    frozen : list of Frozen
        Values that are frozen in the graph that ran or was created.
    active : bool
        Whether the net was hybridized.
    order : list of (int, int, int)
        Lines in the order of execution: index of the visit, line, and number of characters printed before the line.
    failed_at : Place or None
        The innermost line of user code through which an error propagated, if any.
    same : bool or None
        Whether the numbers of the output equal the numbers of the previous output; None if unknown.
    """

    number: int
    kind: str
    reason: str
    before: list[str]
    inputs: str
    output: str
    error: str
    printed: str
    visits: list[Visit]
    recorded: dict[Place, list[str]] = field(default_factory=dict)
    frozen: list[Frozen] = field(default_factory=list)
    active: bool = False
    order: list[tuple[int, int, int]] = field(default_factory=list)
    failed_at: Place | None = None
    same: bool | None = None

    @property
    def lane(self) -> str:
        """The lane in which pictures show the call: ``"array"``, ``"symbol"``, or ``"program"``.

        A plain Block runs its own lines on arrays in every call, so the lane of its most compiled child is used.
        """
        if self.kind == "failed":
            if any(visit.symbolic and visit.returned is None for visit in self.visits):
                return "symbol"
            own = any(visit.path and not visit.symbolic for visit in self.visits)  # not of an operator of the user's
            return "program" if self.active and not own else "array"
        if self.kind == "eager":
            composed = [visit.symbolic for visit in self.visits if visit.path]  # of a net that is called with a Symbol
            return "symbol" if composed and all(composed) else "program" if self.recorded else "array"
        return "symbol" if self.kind == "traced" else "program"

    @property
    def printed_lines(self) -> int:
        """The number of lines that the call printed."""
        return len(self.printed.splitlines())

    def state(self, source: Source, line: int, visit: Visit | None = None) -> str:
        """Return the state of a line as one letter.

        ``e``: the line ran on arrays. ``t``: the line ran with symbols, and is in the graph. ``p``: the line ran with
        symbols, but is not in the graph. ``c``: only the line's operators ran, in the program. ``s``: the line was
        skipped. A space: the line has no code.

        Parameters
        ----------
        source : Source
            The function.
        line : int
            Number of the line in the file.
        visit : Visit, optional
            The run of the function; by default, all runs of the function in this call.

        Returns
        -------
        str
            The letter.
        """
        if line not in source.lines:
            return " "
        visits = [visit] if visit is not None else [v for v in self.visits if v.code is source.code]
        in_graph = Place(source.code.co_filename, line) in self.recorded
        ran = [v for v in visits if line in v.hits]
        if any(not v.symbolic for v in ran):
            return "e"
        if ran:
            return "t" if in_graph else "p"
        return "c" if in_graph and not visits and self.kind != "failed" else "s"


def lines_of(code: types.CodeType, function: Function | None) -> set[int]:
    """Return the lines of a function that can run, without the ``def``, comments, and empty lines."""
    lines = {line for inner in codes_of(code) for _, _, line in inner.co_lines() if line}
    node = None if function is None else function.node
    body = getattr(node, "body", None)
    first = body[0].lineno if isinstance(body, list) else code.co_firstlineno
    if isinstance(body, list) and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        first = body[1].lineno if len(body) > 1 else (body[0].end_lineno or 0) + 1  # after the docstring
    elif node is None and code.co_name != "<lambda>":
        first += 1
    return {line for line in lines if line >= first}
