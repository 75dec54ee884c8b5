"""Sizes of inputs that follow from sizes of outputs: an operator's one rule is tried out, and nothing is guessed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from d2lhybrid.error import MXNetError
from d2lhybrid.internals.core.backward_inference import from_outputs
from d2lhybrid.internals.core.infer import same


def one(of: Any) -> Any:
    """Return the rule of an operator with one input and one output."""
    return lambda shape: ([shape], [of(shape)])


def refusing(shape: Any) -> Any:
    if shape[0] > 100:
        raise MXNetError("too large")
    return [shape], [shape]


def refusing_unless(fits: Callable[[int], bool]) -> Any:
    def rule(shape: Any) -> Any:
        if not fits(shape[0]):
            raise MXNetError("it does not fit")
        return [shape], [shape]

    return rule


#: A rule, what is known of inputs and outputs, and what is known then.
CASES: dict[str, tuple[Any, list[Any], list[Any], list[Any]]] = {
    "as large": (one(lambda s: s), [(None, 5)], [(3, 5)], [(3, 5)]),
    "on another axis": (one(lambda s: s[::-1]), [(5, None)], [(3, 5)], [(5, 3)]),
    "both": (one(lambda s: s), [(None, None)], [(3, 5)], [(3, 5)]),
    "less a window": (one(lambda s: (s[0] - 2,)), [(None,)], [(3,)], [(5,)]),
    "more a margin": (one(lambda s: (s[0] + 2,)), [(None,)], [(3,)], [(1,)]),
    "nothing is left": (one(lambda s: (s[0] + 2,)), [(None,)], [(2,)], [(None,)]),
    "three times": (one(lambda s: (3 * s[0],)), [(None,)], [(12,)], [(4,)]),
    "not three times": (one(lambda s: (3 * s[0],)), [(None,)], [(13,)], [(None,)]),
    "a stride": (one(lambda s: ((s[0] - 1) // 2 + 1,)), [(None,)], [(3,)], [(None,)]),
    "what is missing": (one(lambda s: (10**8 - s[0],)), [(None,)], [(3,)], [(None,)]),
    "of no use": (one(lambda s: (7,)), [(None,)], [(7,)], [(None,)]),
    "two sizes that differ": (one(lambda s: (s[0], s[0])), [(None,)], [(3, 4)], [(None,)]),
    "the second size": (one(lambda s: (9, s[0])), [(None,)], [(9, 4)], [(4,)]),
    "one size is not known": (one(lambda s: (s[0], s[0])), [(None,)], [(None, 4)], [(4,)]),
    "another number of axes": (one(lambda s: (*s, 1)), [(None,)], [(3,)], [(None,)]),
    "refused": (refusing, [(None,)], [(3,)], [(None,)]),
    "a large one is refused": (refusing_unless(lambda size: size < 1 << 21), [(None,)], [(3,)], [(None,)]),
    "a small one is refused": (refusing_unless(lambda size: size > 1 << 21), [(None,)], [(3,)], [(None,)]),
    "nothing is known": (one(lambda s: s), [(None,)], [None], [(None,)]),
    "an input without axes known": (lambda a, b: ([a, b], [b]), [None, (None,)], [(3,)], [None, (3,)]),
    "two inputs, one after the other": (
        lambda a, b: ([a, b], [a, b]), [(None,), (None,)], [(2,), (3,)], [(2,), (3,)],
    ),
    "the second output": (lambda a: ([a], [None, a]), [(None,)], [None, (3,)], [(3,)]),
    "an output that the rule does not know": (lambda a: ([a], [None, a]), [(None,)], [(5,), (3,)], [(3,)]),
    "all the same": (same, [None, (None, 3)], [(2, 3)], [(2, 3), (2, 3)]),
    "all the same, and more is known than of the output": (same, [(2, None)] * 2, [(None, 3)], [(2, 3)] * 2),
    "none the same": (same, [], [(2, 3)], []),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_size_is_found_where_it_is_certain(case: Any) -> None:
    rule, inputs, outputs, found = case
    assert from_outputs(rule, inputs, outputs, {}) == found
