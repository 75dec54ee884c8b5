"""Questions about traced functions: programs with guards, and state as arguments and results."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import numpy

from d2lhybrid import ndarray as nd
from d2lhybrid.gluon import HybridBlock

from .session import Session, probe
from .values import to_arrays


class _Attributes:
    """The attributes of an object, the programs that were traced with these values, and a record of the calls."""

    def __init__(self) -> None:
        self.now: dict[str, Any] = {}
        self.forget()

    def forget(self) -> None:
        """Reset the record."""
        self.reads: int = 0
        self.traces: int = 0
        self.made_for: list[list[tuple[str, type, Any]]] = []
        self.results: list[Any] = []

    def _values(self) -> list[tuple[str, type, Any]]:
        return sorted(((name, type(value), value) for name, value in self.now.items()), key=lambda one: one[0])

    def read(self) -> dict[str, Any]:
        """Return the dictionary of the attributes, without copying it."""
        self.reads += 1
        return self.now

    def trace(self) -> Any:
        """Return a program for the current values of the attributes."""
        self.traces += 1
        made_for = self._values()

        def program(x: Any) -> Any:
            self.made_for.append(made_for)
            self.results.append([x, object()])
            return self.results[-1]

        return program

    def seen(self, given: Any, result: Any) -> dict[str, Any]:
        """Return the record of a call."""
        mine = [one for one in self.results if one is result and one[0] is given]
        return {
            "reads": self.reads, "traces": self.traces, "ran": len(self.results),
            "fits": all(made_for == self._values() for made_for in self.made_for), "returned": bool(mine),
        }  # fmt: skip


@probe
def guarded_calls(session: Session, functions: int, calls: list[Any]) -> list[dict[str, Any]]:
    """Call the answer as ``answer(trace, read)`` for several functions, and call the returned functions.

    A call is ``[index of the function, values of its attributes, input]``.

    Parameters
    ----------
    session : Session
        The session, whose answer is a function.
    functions : int
        Number of functions.
    calls : list
        The calls, in order.

    Returns
    -------
    list of dict
        For each call, the numbers of reads, traces, and runs of programs, whether these programs match the attributes,
        and whether the result came from one of them.
    """
    objects = [_Attributes() for _ in range(functions)]
    found = []
    with contextlib.redirect_stdout(io.StringIO()):
        for one in objects:
            one.now.update(calls[0][1])
        fast = [session.answer(one.trace, one.read) for one in objects]
        for which, attributes, x in calls:
            one, given = objects[which], numpy.array(x)
            one.now.clear()
            one.now.update(attributes)
            result = fast[which](given)
            found.append({**one.seen(given, result), "others": sum(len(o.results) for o in objects if o is not one)})
            for each in objects:
                each.results = []
            one.forget()
    return found


class _Traced(HybridBlock):
    """A block that calls a function once with placeholders, as all tracing frameworks do."""

    def __init__(self, function: Any) -> None:
        super().__init__()
        self.function = function
        self.runs: int = 0
        self.returned: Any = None

    def hybrid_forward(self, F: Any, total: Any, count: Any, x: Any) -> Any:
        """Return the result of the function, and record the type of the result."""
        self.runs += 1
        result = self.function(total, count, x)
        self.returned = _described(result)
        return list(result) if isinstance(result, list | tuple) else [result]


def _described(result: Any) -> str:
    if isinstance(result, list | tuple):
        return f"{type(result).__name__}, {len(result)}"
    return type(result).__name__


@probe
def steps(session: Session, traced: bool, states: list[Any], turns: list[Any]) -> list[dict[str, Any]]:
    """Call the answer as ``answer(total, count, x)`` repeatedly, and pass the first two results to the next call.

    There may be several states; a turn is ``[index of the state, x]``.

    Parameters
    ----------
    session : Session
        The session, whose answer is a function.
    traced : bool
        Whether to trace the answer, rather than call it in each turn.
    states : list
        The initial totals and counts.
    turns : list
        The calls, in order.

    Returns
    -------
    list of dict
        For each turn, the type of the result, its values, and the number of runs of the answer so far.
    """
    net = _Traced(session.answer)
    net.hybridize(traced)
    kept = [to_arrays(state) for state in states]
    found = []
    with contextlib.redirect_stdout(io.StringIO()):
        for which, x in turns:
            values = net(*[array.copy() for array in kept[which]], to_arrays(x))
            values = values if isinstance(values, list | tuple) else [values]
            found.append({"kind": net.returned, "values": list(values), "runs": net.runs})
            if len(values) != 3 or not all(isinstance(value, nd.NDArray) for value in values):
                return [*found, *[found[-1]] * (len(turns) - len(found))]
            kept[which] = list(values[:2])
    return found
