"""Where programs show something else here than in MXNet, and the words of ``docs/compatibility.md`` that say so."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["DIFFERENCES", "REASONS", "reason_of_index"]

_TIES = "otherwise, their order is that of C++'s `std::sort` or of a heap"
_OUT_OF_RANGE = "this package raises an error"
_LAST_DIGITS = "The last digits may differ"
_VALIDATED = "This package validates arguments that MXNet doesn't"
_TOO_LARGE = "An attribute of 3.4028234e38 or more is infinity in MXNet"
_INTEGER_NORM = "`norm` of integers is the square root of the sum of their squares"
_PRODUCT = "`np.prod` of an array without elements is 1"
_POLYNOMIAL = "`np.polyval` with respect to the variable"
_INFERENCE = "also find shapes and element types that MXNet leaves unknown"
_NO_GUESS = "`infer_shape_partial` doesn't guess"
_OVERLAP = "The same is true if `out` shares memory with an input"
_HUE = "`random_hue` of 8-bit pixels ignores rounding errors"
_AVERAGE = "without the part of the second result"
_NOT_A_NUMBER = "treat NaN as the greatest number"
_WINDOWS = "in windows that exceed the data"
_ADDED = 'and their relatives in `np`, of a variable with `grad_req="add"`'
_OUTPUTS_ADDED = 'and the regression outputs with `grad_req="add"`'
_COPIES = '`copy` and `astype` to the same element type, with `grad_req="add"`'
_PAD = "MXNet ignores it, and pads with 0"
_HALF_RANGES = "MXNet truncates both to integers"
_BLANK = "If a label of `CTCLoss` is the blank"
_STATES = "the first call decides whether later calls return the states"

#: Program after a report -> place of what it shows -> why it differs.
DIFFERENCES: dict[str, dict[int, str]] = {
    "9497 outputs add": dict.fromkeys(range(1, 12, 2), _OUTPUTS_ADDED),
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
    "8687 y is x": dict.fromkeys((5, 15), _COPIES),
    "14500 color jitter without numbers": {8: _HUE},
    "5337 unrolled cells": dict.fromkeys((7, 8, 25, 26), "`BidirectionalCell.unroll` with `valid_length`"),
    "4402 types of a variable with an axis": dict.fromkeys((46, 47), _INFERENCE),
    "6631 shapes that follow": {
        **dict.fromkeys((18, 19, 20, 21, 51, 53, 55, 59), _NO_GUESS),
        **dict.fromkeys((127, 129), _INFERENCE),
    },
    "13193 sparse times sparse": {39: "a `csr` matrix of one row times an array of one row"},
    "15685 parameters that were meant": {5: "`Constant.initialize(init)` keeps the value of the constant"},
    "8592 stored otherwise": dict.fromkeys((7, 13), "the gradient of an input of `square` or `cast_storage`"),
    "0 colors by a fixed factor": {
        **dict.fromkeys((16, 17, 20, 21, 22, 23), "computes it from blue alone"),
        **dict.fromkeys((24, 26, 28, 30), _HUE),
    },
    "0 finite numbers": dict.fromkeys((2, 3), "In MXNet, `out` stays 0 if it was 0"),
    "0 windows past the end": dict.fromkeys((1, 17, 33), _WINDOWS),
    "0 weights of an average": {5: _AVERAGE},
    "0 greatest of nothing": dict.fromkeys((14, 24, 25, 26, 33, 51), _VALIDATED),
    "0 types from outputs": dict.fromkeys((32, 33, 46, 47), _INFERENCE),
    "0 arrays that overlap their result": dict.fromkeys(range(8), _OVERLAP),
    "ts 287 a negative binomial near zero": dict.fromkeys(range(0, 18, 3), _LAST_DIGITS),
    "15172 gradients of a mask are added": dict.fromkeys((2, 4, 6), _ADDED),
    "13683 accelerated gradients": {8: "Updates of `float16` weights without `multi_precision`"},
    "10906 transforms in another order": {61: _LAST_DIGITS},
    "0 modules with a fixed weight": {0: "whose weight is frozen, and whose bias is not"},
    "0 gradients of nd that are added": {
        **dict.fromkeys((24, 27, 28, 47, 48, 54, 63, 75, 81, 88, 134, 155, 156, 160), _ADDED),
        **dict.fromkeys((112, 113, 151, 152), _OUTPUTS_ADDED),
    },
    "0 gradients of np that are added": {
        **dict.fromkeys((12, 15, 22, 30, 37, 38, 51, 87, *range(109, 115), 116, 117, 118), _ADDED),
        86: _COPIES,
        59: _POLYNOMIAL,
        62: "`np.rot90`",
        **dict.fromkeys((91, 92), "`np.std`, `np.var`"),
        98: "`np.atleast_2d` and similar functions",
    },
    "15239 vectors that are sparse": dict.fromkeys((9, 18), "names its arguments; MXNet's always fails"),
    "19021 heads of other shapes": {10: "`autograd.grad` of `np` arrays returns `np` arrays"},
    "8001 metrics with several numbers": dict.fromkeys((106, 108, 109, 112), "In MXNet, `get_global` is always 0"),
    "13363 foreach beside frozen arrays": dict.fromkeys((13, 17), "the first gradient is also added to the second"),
    "16701 branches in loops that train": dict.fromkeys((2, 3), "the gradient of the previous pass remains"),
    "18297 quotients of integers": {
        **dict.fromkeys((60, 162, 264, 366), "`np.average` of integers is a `float32`"),
        **dict.fromkeys((63, 165, 267, 369), _INTEGER_NORM),
        **dict.fromkeys((101, 203, 305, 407, 509, 611, 713, 815), _PAD),
        **dict.fromkeys((451, 479), "A comparison of a boolean `np` array with a number compares numbers"),
    },
    "8242 ranges of numbers": dict.fromkeys(
        (29, 31, 40, 42, 84, 86, 106, 108, 128, 130, 139, 141, 150, 152), _HALF_RANGES
    ),
    "18035 ranges like another array": dict.fromkeys((21, 111, 201), _HALF_RANGES),
    "14963 inverses and determinants": dict.fromkeys(
        (96, 97, 98), "The gradient of `det` of a singular matrix raises an error"
    ),
    "15120 second derivatives of logarithms and their kin": dict.fromkeys(
        (*range(1, 38, 2), 45, 47, 61), "the head gradients that `autograd.grad(create_graph=True)` gets"
    ),
    "7727 labels and blanks of CTC": dict.fromkeys((72, 73, 74, 75), _BLANK),
    "0 old layers and their attributes": dict.fromkeys((56, 116), _BLANK),
    "0 rows of csr at each index": {21: "a slice of a `csr` matrix that begins before its first row"},
    "15125 means of half precision": {3: "Sums, means, and norms of `float16` are computed in single precision"},
    "8866 a transformer with one gradient": {10: _ADDED},
    "7714 a symbol that is called with a part of itself": dict.fromkeys((0, 2, 4), "A call to a symbol (`b(y=a)`)"),
    "0 diagonals outside of an array": dict.fromkeys((1, 30), "A diagonal outside of the array is empty"),
    "0 parts of data sets and of nets": {53: "`len` of an `IntervalSampler` with `rollover=False`"},
}
#: A pattern of the names of generated programs -> why they differ; the first that fits.
REASONS = [
    (
        r"np\.(percentile|quantile|max)\(.* of (\(.*0|nothing)|ord=1, axis=\(0,-1\)|np\.(delete|insert).* of \(\)",
        _VALIDATED,
    ),
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
    (r"sign of special", "**NaN stays NaN**"),
    (r"(nd|npx)\.softmax of special", "**NaN or infinity in a row of a softmax makes the whole row NaN**"),
    (r"nanprod of special", "`prod` and `nanprod` at 0, NaN, and infinity"),
    (r"np\.(std|var)(\(| of)", "`np.std`, `np.var`"),
    (r"np\.(arg)?sort of special", _NOT_A_NUMBER),
    (r"np\.unique", "loses the other numbers if one is NaN, and doesn't recognize that 0.0 and -0.0 are equal"),
    (r"np\.average of", "`np.average` of integers is a `float32`"),
    (r"np\.average\(.*returned=True", _AVERAGE),
    (r"np\.atleast_2d", "`np.atleast_2d` and similar functions"),
    (r"of special float16|softmax.*dtype='float16'", "In `float16`, this package rounds each step of a gradient"),
    (r"^np x != .* of bool", "A comparison of a boolean `np` array with a number compares numbers"),
    (r"np\.linalg\.norm.*ord=-float\('inf'\)", "`np.linalg.norm` of a matrix with `ord` 1"),
    (r"Pooling.*'full'", _WINDOWS),
    (r"selu", '`LeakyReLU(act_type="selu")`'),
    (r"np\.where\(", "`np.where` with a number"),
    (r"adamw_update", "nor do `adamw_update` and similar functions"),
    (r"out=[xyq]\) inside", _OVERLAP),
    (r"^symbol sym\.", _INFERENCE),
    (r"F\.gather_nd.* at \('\[.*-\d", "Negative indices in a list"),
    (r"F\.Sequence.* at |use_length=True\) of ", "uses the nearest step for a length"),
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
