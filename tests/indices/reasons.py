"""Why this package answers something else than real MXNet 1.9.1 where an index or a region is at the edge."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from .judge import recorded, same

__all__ = ["REASONS", "Reason", "reason_for"]

Answer = dict[str, Any]


class Reason(NamedTuple):
    """Why two answers differ.

    Attributes
    ----------
    mark : str
        How the table refers to it.
    says : str
        The sentence below the table.
    calls : str
        A regular expression for the whole name of the call.
    columns : set of str
        The values that it is about; all if empty.
    holds : callable
        Whether MXNet's answer and this package's are what the sentence says; its third argument is MXNet's answer to
        an element that is there, of those that compare the two with it.
    compares : bool
        Whether it is given that.
    """

    mark: str
    says: str
    calls: str
    columns: frozenset[str]
    holds: Callable[..., bool]
    compares: bool = False


def _memory(theirs: Answer, mine: Answer) -> bool:
    return "ends" in theirs or "varies" in theirs or "error" not in theirs


def _lost(theirs: Answer, mine: Answer) -> bool:
    return ("ends" in theirs or "varies" in theirs) and "error" not in mine


def _refused_here(theirs: Answer, mine: Answer) -> bool:
    return _memory(theirs, mine) and "error" in mine


def _answered_here(theirs: Answer, mine: Answer) -> bool:
    return _memory(theirs, mine) and "error" not in mine


def _refused_there(theirs: Answer, mine: Answer) -> bool:
    return "error" in theirs and "error" not in mine


def _gradient_refused_there(theirs: Answer, mine: Answer) -> bool:
    """Return whether the gradient alone is refused: the values are the same."""
    refused = isinstance(theirs.get("gradients"), dict) and isinstance(mine.get("gradients"), list)
    return refused and _same_values(theirs, mine)


def _same_values(theirs: Answer, mine: Answer) -> bool:
    return "values" in theirs and "values" in mine and theirs["values"] == mine["values"]


def _gradient_refused_or_values_lost(theirs: Answer, mine: Answer) -> bool:
    return _gradient_refused_there(theirs, mine) or ("error" not in mine and ("ends" in theirs or "varies" in theirs))


def _numbers(answer: Answer) -> list[float]:
    return [float(x) for x in answer["values"][0][2]] if "values" in answer else []


def _keeps(theirs: Answer, inside: Answer) -> bool:
    """Return whether MXNet's array has in some places what it had before, and else what is written inside it."""
    pairs = list(zip(_numbers(theirs), _numbers(inside), strict=False))
    kept = [x != y and x in (0, i + 1) for i, (x, y) in enumerate(pairs)]  # zeros, or 1, 2, 3 and so on
    return any(kept) and all(x == y or k for (x, y), k in zip(pairs, kept, strict=True))


def _beside(theirs: Answer, inside: Answer) -> bool:
    """Return whether MXNet writes beside the array: nothing is written in it, or the process ends."""
    return "ends" in theirs or "varies" in theirs or _keeps(theirs, inside)


def _as_inside(mine: Answer, inside: Answer) -> bool:
    """Return whether values are those of the element that is named, and gradients, where MXNet has any."""
    given = inside if isinstance(inside.get("gradients"), list) else {**inside, "gradients": mine.get("gradients", [])}
    return "values" in inside and same(mine, given)


def _one_region_is(mine: Answer, inside: Answer, kind: Callable[[list[float]], bool]) -> bool:
    """Return whether the last region is of a kind and has no gradient, and all others are as they should be."""
    (_, shape, _), numbers, right = mine["values"][0], _numbers(mine), _numbers(inside)
    size = len(numbers) // shape[0]
    others = all(abs(x - y) < 1e-5 for x, y in zip(numbers[:-size], right[:-size], strict=True))
    return others and kind(numbers[-size:]) and not any(mine["gradients"][1][2])


def _zeros(region: list[float]) -> bool:
    return not any(region)


def _nan(region: list[float]) -> bool:
    return any(x != x for x in region)


def _second_image_untouched(mine: Answer) -> bool:
    gradient = mine["gradients"][0][2]
    return not any(gradient[len(gradient) // 2 :])


def _has_nan(mine: Answer) -> bool:
    return "nan" in mine["values"][0][2]


def _both_answer(theirs: Answer, mine: Answer) -> bool:
    return "values" in theirs and "values" in mine


def _reason(says: str, calls: str, columns: str, holds: Callable[..., bool], compares: bool = False) -> Reason:
    return Reason(next(_marks), says, calls, frozenset(columns.split()), holds, compares)


_marks = iter([*"abcdefghijklmnopqrstuvwxyz", "aa", "bb", "cc", "dd", "ee", "ff", "gg"])
#: Calls that write at indices.
_WRITING = r"scatter_nd.*|contrib\.index_copy|(np )?a\[(array|\[1, i\])\] = 9"

REASONS: list[Reason] = [
    _reason(
        "MXNet uses 32-bit integers (for `take` only in the backward pass), so 2^31 refers to the first "
        "element. Here it is out of range, for values and gradients. The same is true for 2^32 as an `int64` index of "
        "`one_hot`.",
        r"(np\.)?take.*|.*[Ee]mbedding|(npx\.)?pick.*|choose_element_0index",
        "2^31",
        _both_answer,
    ),
    _reason(
        "MXNet treats NaN as an index in range. Here `mode='raise'` raises an error.",
        r"(np\.)?take.*'raise'.*",
        "NaN",
        _refused_here,
    ),
    _reason(
        "MXNet accepts only one element type for indices, and has no gradient. Here all types are accepted, "
        "and there is a gradient.",
        r"batch_take|fill_element_0index|softmax_cross_entropy|onehot_encode|np\.insert\(positions\)|"
        r"softmax\(use_length=True.*|CTCLoss\(.*_lengths\)",
        "",
        lambda theirs, mine: _refused_there(theirs, mine) or _gradient_refused_there(theirs, mine),
    ),
    _reason(
        "An index that counts from the end. MXNet writes outside the array, which stays unchanged, or "
        "crashes. Here the write goes to the element that such an index reads.",
        _WRITING,
        "-1 -n",
        lambda theirs, mine, inside: _beside(theirs, inside) and _as_inside(mine, inside),
        True,
    ),
    _reason(
        "Out of range. MXNet writes outside the array, which stays unchanged, or crashes. Here it is an "
        "error.",
        _WRITING,
        "-n-1 n n+1 2^31 NaN inf -inf",
        lambda theirs, mine, inside: "error" in mine and _beside(theirs, inside),
        True,
    ),
    _reason(
        "Out of range, and 0 in MXNet's 32-bit arithmetic, so that MXNet writes to the first element. Here it "
        "is an error.",
        _WRITING,
        "2^31 NaN inf -inf",
        lambda theirs, mine, inside: "error" in mine and _numbers(theirs) == _numbers(inside),
        True,
    ),
    _reason(
        "Past the end of a row. MXNet writes to the next row. Here it is an error.",
        "scatter_nd, last axis",
        "n n+1",
        lambda theirs, mine, inside: "error" in mine and _numbers(inside)[0] in _numbers(theirs)[3:],
        True,
    ),
    _reason(
        "For an index that counts from the end, MXNet writes the gradient outside the array. Here it goes to "
        "the element that was read.",
        r"(npx\.)?gather_nd.*|(np )?a\[(\[1, i\]|(:, )?array.*)\]",
        "-1 -n",
        lambda theirs, mine, inside: (
            _as_inside(mine, inside) if "values" in theirs else "ends" in theirs or "varies" in theirs
        )
        and "error" not in mine,
        True,
    ),
    _reason(
        "Out of range: MXNet reads memory outside the array. Here it is an error.",
        r"(npx\.)?gather_nd.*|(np )?a\[:, array\]|contrib\.hawkesll.*|np\.insert\(positions\)|"
        r"CTCLoss\(labels.*|image\.crop\(x=i\)",
        "-1 -n -n-1 n n+1 2^31 n-0.5 NaN inf -inf",
        _refused_here,
    ),
    _reason(
        "MXNet adds the size to a negative fraction before truncating it, but not in the backward pass. Here "
        "-0.5 is 0.",
        r"(npx\.)?gather_nd.*|scatter_nd.*|np\.delete\(positions\)",
        "-0.5",
        lambda theirs, mine: "error" not in mine,
    ),
    _reason(
        "A length out of range. MXNet reads or writes memory outside the array. Here a length is limited to "
        "the range from 0 to the number of steps; for length 0, `SequenceLast` takes the first step.",
        r"Sequence.*|npx\.sequence_mask|softmax\(use_length=True.*|CTCLoss\(.*_lengths\)",
        "-1 -n -n-1 n n+1 2^31 0.5 -0.5 NaN inf -inf",
        _lost,
    ),
    _reason(
        "A length out of range. In MXNet it refers to a step of another sequence, which is next in memory. "
        "Here it is limited to its own sequence.",
        r"Sequence(Mask|Last)\(.*|softmax\(use_length=True.*|CTCLoss\(label_lengths\)",
        "-1 -n -n-1 n+1 2^31 0.5 -0.5",
        _both_answer,
    ),
    _reason(
        "MXNet rounds a length for the loss, but truncates it for the gradient. Here it is rounded for both.",
        r"CTCLoss\(data_lengths\)",
        "0.5 n-0.5",
        lambda theirs, mine: _both_answer(theirs, mine) and theirs["gradients"] != mine["gradients"],
    ),
    _reason(
        "A label that is not a class. MXNet reads memory outside the array. Here the label matches no class "
        "(`softmax_cross_entropy`), or is the blank.",
        r"softmax_cross_entropy|CTCLoss\(labels.*",
        "-1 -n -n-1 n n+1 2^31 -0.5 NaN inf -inf",
        _answered_here,
    ),
    _reason(
        "The image does not exist. MXNet reads memory outside the array, or crashes. Here the region consists "
        "of zeros and has no gradient, as with `ROIPooling` in both packages.",
        r"contrib\.(R?ROIAlign|PSROIPooling|DeformablePSROIPooling)(\(.*\))?, image",
        "-1 -n -n-1 n n+1 2^31 NaN inf -inf",
        lambda theirs, mine, inside: (
            ("values" not in theirs or not same(theirs, inside))
            and _one_region_is(mine, inside, _zeros)
            and _second_image_untouched(mine)
        ),
        True,
    ),
    _reason(
        "The image does not exist, but MXNet's 32-bit arithmetic makes it the first one. Here the region "
        "consists of zeros.",
        r"contrib\.(RROIAlign|PSROIPooling|DeformablePSROIPooling), image",
        "2^31 NaN inf -inf",
        lambda theirs, mine, inside: same(theirs, inside) and _one_region_is(mine, inside, _zeros),
        True,
    ),
    _reason(
        "A region that is not finite. MXNet crashes. Here the region consists of zeros and has no gradient.",
        r"contrib\.R?ROIAlign(\(.*\))?, (left|right|centre|width)",
        "NaN inf -inf",
        lambda theirs, mine, inside: "ends" in theirs and _one_region_is(mine, inside, _zeros),
        True,
    ),
    _reason(
        "A region that is not finite, or has a NaN offset. MXNet crashes. Here values that are read at NaN "
        "are NaN.",
        r"contrib\.DeformablePSROIPooling, (left|right|offset)",
        "NaN inf -inf",
        lambda theirs, mine, inside: "ends" in theirs and _one_region_is(mine, inside, _nan),
        True,
    ),
    _reason(
        "MXNet crashes if a region of `ROIAlign(aligned=True)` is reversed. Here it is empty.",
        r"contrib\.ROIAlign\(aligned=True\), (left|right)",
        "",
        lambda theirs, mine: "ends" in theirs and "error" not in mine,
    ),
    _reason(
        "The region needs more points than time or memory allow. MXNet crashes; here it is an error.",
        r"contrib\.R?ROIAlign.*",
        "",
        lambda theirs, mine: "ends" in theirs and "error" in mine,
    ),
    _reason(
        "On a CPU, MXNet has no gradients for `RROIAlign`, `ModulatedDeformableConvolution`, and "
        "`SparseEmbedding`. Values of `SparseEmbedding` may also come from outside the array.",
        r"contrib\.(RROIAlign|ModulatedDeformableConvolution|SparseEmbedding).*",
        "",
        _gradient_refused_or_values_lost,
    ),
    _reason(
        "In MXNet, an attribute must be a 32-bit number. Here it can be larger.",
        r"(npx\.)?slice\(.*|(np )?a\[i.*|np\.tril.*|contrib\.(box_nms|MultiBoxDetection)\(.*|np\.roll.*",
        "2^31",
        lambda theirs, mine: "error" not in mine,
    ),
    _reason(
        "An empty slice. MXNet treats its size as unknown, and fails at its gradient, or if the slice begins "
        "or ends outside the array. Here it is empty, and its gradient is zeros.",
        r"(npx\.)?slice\(.*|(np )?a\[i::-1\]|(np )?a\.slice_assign",
        "-n -n-1 n n+1 2^31",
        lambda theirs, mine: "error" not in mine,
    ),
    _reason(
        "MXNet uses 32-bit arithmetic. Here the arithmetic has the element type of the data, and NaN stays NaN.",
        r"(un)?ravel_multi_index.*|unravel_index",
        "2^31 NaN inf -inf",
        _both_answer,
    ),
    _reason(
        "MXNet calls NumPy, which accepts only integers in range. Here the function uses the "
        "same arithmetic as `nd.unravel_index`.",
        r"np\.unravel_index",
        "",
        _refused_there,
    ),
    _reason(
        "MXNet inserts a number only into a vector. Here it inserts a row.",
        r"np\.insert\(position\)",
        "",
        _refused_there,
    ),
    _reason(
        "The number of a box that does not exist. MXNet reads memory outside the array. Here the nearest "
        "number is used.",
        r"contrib\.box_encode.*",
        "-1 -n -n-1 n n+1 2^31 NaN inf -inf",
        _answered_here,
    ),
    _reason(
        "Here a NaN score is the lowest. In MXNet a NaN score can be anywhere in the order.",
        r"contrib\.MultiBoxDetection, probability",
        "NaN",
        _both_answer,
    ),
    _reason(
        "MXNet requires that all elements of a padding row are -1. Here elements after class -1 are not read.",
        r"contrib\.MultiBoxTarget, class",
        "-1",
        _refused_there,
    ),
    _reason(
        "MXNet crashes, although `Proposal` raises an error. Here both operators raise this error.",
        r"contrib\.MultiProposal, image size",
        "2^31",
        lambda theirs, mine: "ends" in theirs and "error" in mine,
    ),
    _reason(
        "A NaN sampling point. MXNet crashes. Here no element is read for such a point.",
        r"contrib\.DeformableConvolution",
        "NaN",
        lambda theirs, mine: _lost(theirs, mine) and not _has_nan(mine),
    ),
]  # fmt: skip


def _inside(call: str, column: str) -> Answer:
    """Return what MXNet answers to an element that is there: the one that a column names, if there is one."""
    call = call.replace("[[1, i]]", "[array]")
    for fraction in ["n-0.5", "0.5", "n", "n+1"] if column == "-1" else ["0.5", "n-0.5", "n", "n+1"]:
        answer = recorded().get(f"{call} | {fraction} | float32", {})
        if "values" in answer:
            return answer
    return {}


def reason_for(call: str, column: str, theirs: Answer, mine: Answer) -> Reason | None:
    """Return why a call answers something else than MXNet, None if nobody has said."""
    for reason in REASONS:
        if not re.fullmatch(reason.calls, call) or (reason.columns and column not in reason.columns):
            continue
        if reason.holds(theirs, mine, *([_inside(call, column)] if reason.compares else [])):
            return reason
    return None
