"""Where programs show something else here than in MXNet, and the words of ``docs/compatibility.md`` that say so."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["DIFFERENCES", "REASONS", "reason_of_index"]

_TIES = "otherwise, their order is that of a heap"
_OUT_OF_RANGE = "this package raises an error"

#: Program after a report -> place of what it shows -> why it differs.
DIFFERENCES: dict[str, dict[int, str]] = {
    "9497 outputs add": dict.fromkeys(range(1, 12, 2), 'and the regression outputs with `grad_req="add"`'),
    "16357 empty reductions and types": {3: "`np.prod` of an array without elements is 1"},
    "16964 comparisons of integers with fractions": dict.fromkeys(
        (211, 212, 213), "A comparison of a boolean `np` array with a number compares numbers"
    ),
    "12197 ties and long rows": dict.fromkeys(range(4), _TIES),
    "12197b more than half of them": dict.fromkeys(
        (51, 52, 66, 67, 69, 70, 72, 73, 74, 75, 76, 78, 79, 84, 85, 87, 88, 90, 91, 92, 93, 94, 95, 96, 97), _TIES
    ),
    "19362 argmin of many halves": dict.fromkeys((2, 3), "MXNet rounds it to `float16`"),
    "17342 a mask of numbers": {1: _OUT_OF_RANGE},
    "10431 csr times dense": {3: "a `csr` matrix divided by an array of one row"},
    "0 order of NaN": dict.fromkeys(range(3), "treat NaN as the greatest number"),
}
#: A pattern of the names of generated programs -> why they differ; the first that fits.
REASONS = [
    (r"unravel_index", "`unravel_index` accepts arrays of several axes"),
    (r"(set|add|gradient).*(\[-1\]|A\(\[-1,-2\]\)|-\d.*array|(array|\[|A\().*-\d)", "Negative indices in a list"),
    (r"\[\[?True(,False)?\]\]?", "MXNet uses such masks as the numbers 1 and 0"),
    (r"x\[i, None\]|get .*(array|\[|A\().*None", "A new axis after an index array"),
]


def reason_of_index(name: str, pairs: list[tuple[Any, Any]]) -> str:
    """Return why a generated program differs; empty if nothing is known.

    Parameters
    ----------
    name : str
        The program.
    pairs : list of pairs
        What it shows here and in MXNet, where it differs.
    """
    if pairs and pairs[0][0][0] == "ends with":
        return _OUT_OF_RANGE
    return next((words for pattern, words in REASONS if re.search(pattern, name)), "")
