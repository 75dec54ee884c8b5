"""Where programs show something else here than in MXNet, and the words of ``docs/compatibility.md`` that say so."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["DIFFERENCES", "REASONS", "reason_of_index"]

_TIES = "otherwise, their order is that of a heap"
_OUT_OF_RANGE = "this package raises an error"
_LAST_DIGITS = "The last digits may differ"
_VALIDATED = "This package validates arguments that MXNet doesn't"
_TOO_LARGE = "An attribute of 3.4028234e38 or more is infinity in MXNet"
_INTEGER_NORM = "`norm` of integers is the root of the sum of their squares"
_PRODUCT = "`np.prod` of an array without elements is 1"
_POLYNOMIAL = "`np.polyval` with respect to the variable"
_STATES = "the first call decides whether later calls return the states"

#: Program after a report -> place of what it shows -> why it differs.
DIFFERENCES: dict[str, dict[int, str]] = {
    "9497 outputs add": dict.fromkeys(range(1, 12, 2), 'and the regression outputs with `grad_req="add"`'),
    "16357 empty reductions and types": {3: _PRODUCT},
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
    "19859 large slopes": {0: _TOO_LARGE},
    "15096 np shape and inference": dict.fromkeys((1, 4), "`infer_shape_partial` also returns the shape of a weight"),
    "7283 lengths of samplers": {18: _VALIDATED},
    "10987 shared modules": {8: "after a module that shares its parameters (`shared_module`) has run"},
    "20293 gradient of a loaded sum": dict.fromkeys((5, 6), "the first gradient is also added to the second"),
    "9979 derivatives of derivatives": {9: "the second derivative of `arcsinh`"},
    "8202 L2 normalization": {38: _INTEGER_NORM},
    "15383 draws of classes": {7: _VALIDATED},
    "20049 shapes of samples": dict.fromkeys((69, 137, 138, 141), _VALIDATED),
    "5734 states of an rnn over batches": {16: _STATES},
    "0 repeated zero times": dict.fromkeys((1, 3, 5, 7), "A size of 0 that an operator computes"),
    "0 functions of integers": dict.fromkeys((305, 347), _INTEGER_NORM),
    "0 arrays to write to": {25: _VALIDATED, 26: _VALIDATED, 41: "`np.zeros_like(x, out=y)` writes to `y`"},
    "0 gradients of polynomials": {3: _POLYNOMIAL},
    "0 states of hybridized layers": dict.fromkeys((1, 4, 7, 10, 13, 16), _STATES),
    "5475 augmenters": {2: "Cubic interpolation of 8-bit pixels may differ by one level", 52: _LAST_DIGITS},
    "10772 sparse arrays": {100: "names its arguments; MXNet's always fails"},
    "12350 keys after pushes": {3: "an array that changes after it was pushed to a key-value store"},
    "15109 derivatives again": {14: "`x.grad` is the same array object that was passed to `autograd.mark_variables`"},
    "0 gradients of matrix norms": dict.fromkeys(
        (0, 4, 8, 11, 12, 15, 16, 19, 20, 23), "`np.linalg.norm` of a matrix with `ord` 1"
    ),
    "0 gradients of linear algebra": dict.fromkeys((4, 6, 11), "`np.linalg.pinv`, `np.linalg.eigvalsh`"),
    "0 products of nothing": dict.fromkeys((1, 2), _PRODUCT),
}
#: A pattern of the names of generated programs -> why they differ; the first that fits.
REASONS = [
    (r"np\.(percentile|quantile|max)\(.* of (\(.*0|nothing)|ord=1, axis=\(0,-1\)|np\.delete.* of \(\)", _VALIDATED),
    (r"scatter_nd.* at \[1,2\] int64", _OUT_OF_RANGE),
    (r"np\.prod\(.* of (nothing|\(.*0)", _PRODUCT),
    (r"np\.polyval", _POLYNOMIAL),
    (r"np\.atleast_3d", "`np.atleast_2d` and similar functions"),
    (r"np\.rot90", "`np.rot90`"),
    (r"np\.unique\(x, axis=", "`np.unique` along an axis of an array without elements"),
    (r"CTCLoss.* at \[0,0\]", "`CTCLoss` of a batch without any labels"),
    (r"softmax\(x\) of float16", _LAST_DIGITS),
    (r"(get|set|add to) n[pd] (n[pd]\.array\()?\[-1", "Negative indices in a list"),
    (r"(set|add to) np .*\[True", "MXNet uses such masks as the numbers 1 and 0"),
    (r"get np None, \[0,1\], None", "A new axis after an index array"),
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
