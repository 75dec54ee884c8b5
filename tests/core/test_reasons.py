"""Why a net is compiled once more: what of a call differs from the most similar one that there is a program for."""

from __future__ import annotations

from typing import Any

import pytest

from d2lhybrid.internals.core.history import reasons_to_compile

OLD = (False, None, "cpu(0)", ((1, 5), "float32"), ((5,), "float32"))


def call(training: bool = False, wanted: Any = None, ctx: str = "cpu(0)", x: Any = OLD[3], w: Any = OLD[4]) -> Any:
    return training, wanted, ctx, x, w


@pytest.mark.parametrize(
    ("known", "new", "reasons"),
    [
        ([], call(), ["first call"]),
        ([call()], call(x=((4, 5), "float32")), ["the shape of x changed from (1, 5) to (4, 5)"]),
        ([call()], call(w=((5,), "float64")), ["the dtype of w changed from float32 to float64"]),
        (
            [call()],
            call(x=((2, 5), "float16")),
            ["the shape of x changed from (1, 5) to (2, 5)", "the dtype of x changed from float32 to float16"],
        ),
        ([call()], call(training=True), ["training mode"]),
        ([call(training=True)], call(), ["predict mode"]),
        ([call()], call(ctx="gpu(0)"), ["the context changed from cpu(0) to gpu(0)"]),
        ([call()], call(wanted=(True, False)), ["recording gradients for 1 of 2 inputs"]),
        ([call(wanted=(True, False))], call(), ["not recording"]),
        (
            [call(wanted=(True, False))],
            call(wanted=(True, True)),
            ["recording gradients for 2 of 2 inputs, previously for 1"],
        ),
        (
            [call(wanted=(True, False))],
            call(wanted=(False, True)),
            ["recording gradients for 1 of 2 inputs, but not the same inputs as before"],
        ),
    ],
)
def test_what_changed_is_named(known: list[Any], new: Any, reasons: list[str]) -> None:
    assert list(reasons_to_compile(known, new, ["x", "w"])) == reasons


def test_the_most_similar_call_is_compared_and_of_equals_the_youngest() -> None:
    far, near, younger = call(True, None, "gpu(0)"), call(x=((2, 5), "float32")), call(x=((3, 5), "float32"))
    new = call(x=((4, 5), "float32"))
    assert reasons_to_compile([near, far], new, ["x", "w"]) == ("the shape of x changed from (2, 5) to (4, 5)",)
    assert reasons_to_compile([near, younger], new, ["x", "w"]) == ("the shape of x changed from (3, 5) to (4, 5)",)


@pytest.mark.parametrize(("changed", "listed", "last"), [(5, 5, "s4"), (6, 5, "and 2 more changes")])
def test_many_changes_are_counted(changed: int, listed: int, last: str) -> None:
    names = [f"s{i}" for i in range(changed)]
    old, new = ((False, None, "cpu(0)", *[((n,), "f")] * changed) for n in (1, 2))
    reasons = reasons_to_compile([old], new, names)
    assert len(reasons) == listed and last in reasons[-1]
