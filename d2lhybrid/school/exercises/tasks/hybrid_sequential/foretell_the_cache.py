"""02.4: a model of the cache."""

from __future__ import annotations

import warnings
from typing import Any

import numpy

from ..... import autograd, nd
from .....gluon import nn
from ...exercise import Exercise, Mistake
from ...results import expect
from ...subject import Subject

Event = list[Any]


class _Counting(nn.HybridBlock):
    def __init__(self) -> None:
        super().__init__()
        self.traces = 0

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        self.traces += 1
        return x * 2


def _truth(events: list[Event]) -> tuple[int, int]:
    """Return how often a net is traced, and how many programs are compiled, by letting it happen."""
    net, compiled = _Counting(), 0
    net.hybridize()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for kind, shape in events:
            before = len(net.programs)
            if kind == "hybridize":
                net.hybridize()
                continue
            with autograd.train_mode() if kind == "train" else autograd.predict_mode():
                net(nd.zeros(tuple(shape)))
            compiled += len(net.programs) - before
    return net.traces, compiled


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    fixed: list[list[Event]] = [
        [["call", [2, 3]]] * 3,
        [["call", [2, 3]], ["call", [4, 3]], ["call", [2, 3]]],
        [["call", [2, 3]], ["train", [2, 3]], ["call", [2, 3]]],
        [["call", [2, 3]], ["hybridize", None], ["call", [2, 3]]],
        [["hybridize", None], ["hybridize", None]],
    ]
    for _ in range(6):
        kinds = rng.choice(["call", "train", "hybridize"], int(rng.integers(3, 12)), p=[0.6, 0.25, 0.15])
        fixed.append([[str(k), None if k == "hybridize" else [int(rng.integers(1, 4)), 3]] for k in kinds])
    for events in fixed:
        given = [(kind, None if shape is None else tuple(shape)) for kind, shape in events]
        got = subject.call(events, doing=f"called with {given}")
        where = f"For {given}"
        pair = isinstance(got, list) and len(got) == 2
        expect(pair, f"{where} the function returns no pair of numbers.")
        traces, programs = _truth(events)
        expect(got[0] == traces, f"{where} the number of runs of `hybrid_forward` is not {got[0]}.")
        expect(got[1] == programs, f"{where} the number of compiled programs is not {got[1]}.")


EXERCISE = Exercise(
    number="02.4",
    title="Foretell the cache",
    answer="foretell",
    points=2,
    task="""
A net has just been hybridized and not been called yet. Then this happens to it, in order; each event is a pair:

* `("call", shape)`: it is called on an array of this shape, outside of training,
* `("train", shape)`: it is called on an array of this shape in training mode,
* `("hybridize", None)`: `net.hybridize()` is called once more.

Write `foretell(events)`. It returns two numbers: how often `hybrid_forward` runs, and how many programs are compiled
on the way. (Shapes may be lists or tuples. All arrays have the same type and are in the same place.)

Try it out with a net of your own that prints when it is traced; `len(net.programs)` tells how many programs there
are.
""",
    starter="""
def foretell(events):
    ...
""",
    solution_code="""
def foretell(events):
    traces, programs = 0, 0
    traced, known = False, set()
    for kind, shape in events:
        if kind == "hybridize":
            traced, known = False, set()
            continue
        if not traced:
            traces, traced = traces + 1, True
        signature = (kind, tuple(shape))
        if signature not in known:
            programs += 1
            known.add(signature)
    return traces, programs
""",
    hints=(
        "There are two caches: one graph for the net, and one program for each kind of call.",
        "What does a program depend on? Try another shape; try training mode; try the first shape again.",
        "`hybridize()` forgets both, the graph and all programs. But nothing is traced until the next call.",
        "Keep a flag (traced or not) and a set of pairs (kind, shape); empty both when the event is `hybridize`.",
    ),
    checker=_check,
    insight="Traced once, compiled once for each signature: this is what other systems call guards and retracing.",
    mistakes=(
        Mistake(
            "every call traces",
            "def foretell(events):\n    calls = [e for e in events if e[0] != 'hybridize']\n"
            "    return len(calls), len({str(e) for e in calls})",
            "For [('call', (2, 3)), ('call', (2, 3)), ('call', (2, 3))] the number of runs",
        ),
        Mistake(
            "a new shape traces",
            "def foretell(events):\n    kinds = {str(e) for e in events if e[0] != 'hybridize'}\n"
            "    return len(kinds), len(kinds)",
            "For [('call', (2, 3)), ('call', (4, 3)), ('call', (2, 3))] the number of runs",
        ),
        Mistake(
            "training is the same",
            "def foretell(events):\n    shapes = {str(e[1]) for e in events if e[0] != 'hybridize'}\n"
            "    return min(1, len(shapes)), len(shapes)",
            "('train', (2, 3)), ('call', (2, 3))] the number of compiled programs",
        ),
        Mistake(
            "hybridize changes nothing",
            "def foretell(events):\n    kinds = {str(e) for e in events if e[0] != 'hybridize'}\n"
            "    return min(1, len(kinds)), len(kinds)",
            "For [('call', (2, 3)), ('hybridize', None), ('call', (2, 3))] the number of runs",
        ),
        Mistake(
            "hybridize traces",
            "def foretell(events):\n    n, p, known = 1, 0, set()\n    for kind, shape in events:\n"
            "        if kind == 'hybridize':\n            n, known = n + 1, set()\n"
            "        elif (kind, tuple(shape)) not in known:\n            p += 1\n"
            "            known.add((kind, tuple(shape)))\n    return n, p",
            "For [('hybridize', None), ('hybridize', None)] the number of runs",
        ),
        Mistake("one number", "def foretell(events):\n    return len(events)", "no pair of numbers"),
        Mistake(
            "hard-coded", "def foretell(events):\n    return 1, 1", "(4, 3)), ('call', (2, 3))] the number of compiled"
        ),
    ),
)
