"""Why this package answers something else than real MXNet 1.9.1 where an index or a region is at the edge."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

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
        Whether MXNet's answer and this package's are what the sentence says.
    """

    mark: str
    says: str
    calls: str
    columns: frozenset[str]
    holds: Callable[[Answer, Answer], bool]


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


def _a_region_of_zeros(mine: Answer) -> bool:
    """Return whether all values of one of the regions are zeros."""
    _, shape, values = mine["values"][0]
    size = len(values) // shape[0]
    return any(not any(values[i : i + size]) for i in range(0, len(values), size))


def _has_nan(mine: Answer) -> bool:
    return "nan" in mine["values"][0][2]


def _both_answer(theirs: Answer, mine: Answer) -> bool:
    return "values" in theirs and "values" in mine


def _reason(says: str, calls: str, columns: str, holds: Callable[[Answer, Answer], bool]) -> Reason:
    return Reason(next(_marks), says, calls, frozenset(columns.split()), holds)


_marks = iter("abcdefghijklmnopqrstuvwxyz")

REASONS: list[Reason] = [
    _reason(
        "MXNet counts in 32 bits, in `take` on the way back only: 2^31 names the first element there. Here "
        "it is past the end, "
        "in values and gradients.",
        r"(np\.)?take.*|.*[Ee]mbedding|(npx\.)?pick.*|choose_element_0index",
        "2^31",
        _both_answer,
    ),
    _reason(
        "MXNet takes NaN for an index in range. Here `mode='raise'` "
        "raises.", r"(np\.)?take.*'raise'.*", "NaN", _refused_here),
    _reason(
        "MXNet takes indices of one element type alone, and has no gradient. Here all types are taken, and "
        "there is one.",
        r"batch_take|fill_element_0index|softmax_cross_entropy|onehot_encode|np\.insert\(positions\)|"
        r"softmax\(use_length=True.*|CTCLoss\(.*_lengths\)",
        "",
        lambda theirs, mine: _refused_there(theirs, mine) or _gradient_refused_there(theirs, mine),
    ),
    _reason(
        "Out of range. MXNet writes beside the array, or ends. Here a negative index counts from the end, as "
        "where it is read, "
        "and any other is an error.",
        r"scatter_nd.*|contrib\.index_copy|(np )?a\[(array|\[1, i\])\] = 9",
        "-1 -n -n-1 n n+1 2^31 NaN inf -inf",
        _memory,
    ),
    _reason(
        "MXNet's gradient writes beside the array for an index that counts from the end. Here it goes to the "
        "element that was read.",
        r"(npx\.)?gather_nd.*|(np )?a\[(\[1, i\]|(:, )?array.*)\]|scatter_nd.*",
        "-1 -n",
        _answered_here,
    ),
    _reason(
        "Out of range: MXNet reads memory that is not the array's. Here it is an error.",
        r"(npx\.)?gather_nd.*|(np )?a\[:, array\]|contrib\.hawkesll.*|np\.insert\(positions\)|"
        r"CTCLoss\(labels.*|image\.crop\(x=i\)",
        "-1 -n -n-1 n n+1 2^31 n-0.5 NaN inf -inf",
        _refused_here,
    ),
    _reason(
        "MXNet adds the size to a fraction below 0 before it cuts it off, and forgets to on the way back. "
        "Here -0.5 is 0.",
        r"(npx\.)?gather_nd.*|scatter_nd.*|np\.delete\(positions\)",
        "-0.5",
        lambda theirs, mine: "error" not in mine,
    ),
    _reason(
        "A length out of range. MXNet reads or writes memory that is not the array's. Here a length is at "
        "least 0 and at most "
        "the number of steps; `SequenceLast` takes the first step for 0.",
        r"Sequence.*|npx\.sequence_mask|softmax\(use_length=True.*|CTCLoss\(.*_lengths\)",
        "-1 -n -n-1 n n+1 2^31 0.5 -0.5 NaN inf -inf",
        _lost,
    ),
    _reason(
        "A length out of range that names a step of another sequence in MXNet, for these are beside it in "
        "memory. Here the length is kept within its own.",
        r"Sequence(Mask|Last)\(.*|softmax\(use_length=True.*|CTCLoss\(label_lengths\)",
        "-1 -n -n-1 n+1 2^31 0.5 -0.5",
        _both_answer,
    ),
    _reason(
        "MXNet rounds a length for the loss, and cuts its fraction off for the gradient. Here it is rounded "
        "for both.",
        r"CTCLoss\(data_lengths\)",
        "0.5 n-0.5",
        lambda theirs, mine: _both_answer(theirs, mine) and theirs["gradients"] != mine["gradients"],
    ),
    _reason(
        "A label that is no class. MXNet reads memory that is not the array's. Here it is none of the classes "
        "(of `softmax_cross_entropy`), or the blank.",
        r"softmax_cross_entropy|CTCLoss\(labels.*",
        "-1 -n -n-1 n n+1 2^31 -0.5 NaN inf -inf",
        _answered_here,
    ),
    _reason(
        "The image is not there, or the region is not a number. MXNet reads memory that is not the array's, "
        "or ends. Here the "
        "region is zeros, and has no gradient, as of `ROIPooling` in both; what `DeformablePSROIPooling` reads at NaN "
        "is NaN.",
        r"contrib\.(ROIAlign|PSROIPooling|DeformablePSROIPooling|RROIAlign).*",
        "-1 -n -n-1 n n+1 2^31 0.5 -0.5 NaN inf -inf",
        lambda theirs, mine: _lost(theirs, mine) and (_a_region_of_zeros(mine) or _has_nan(mine)),
    ),
    _reason(
        "The image is not there, and MXNet's arithmetic of 32 bits makes the first image of it, or finds "
        "other numbers in its "
        "place. Here the region is zeros.",
        r"contrib\.(R?ROIAlign|PSROIPooling|DeformablePSROIPooling)(\(.*\))?, image",
        "-1 -n -n-1 n n+1 2^31 NaN inf -inf",
        lambda theirs, mine: _both_answer(theirs, mine) and _a_region_of_zeros(mine),
    ),
    _reason(
        "MXNet ends the process if a region of `ROIAlign(aligned=True)` is turned over. Here it is empty.",
        r"contrib\.ROIAlign\(aligned=True\), (left|right)",
        "",
        lambda theirs, mine: "ends" in theirs and "error" not in mine,
    ),
    _reason(
        "More points than there is time or memory for. MXNet ends the process; here the region is refused.",
        r"contrib\.R?ROIAlign.*",
        "",
        lambda theirs, mine: "ends" in theirs and "error" in mine,
    ),
    _reason(
        "On a CPU, MXNet has no gradient of `RROIAlign`, `ModulatedDeformableConvolution`, and "
        "`SparseEmbedding`, whose values "
        "may be read beside the array, too.",
        r"contrib\.(RROIAlign|ModulatedDeformableConvolution|SparseEmbedding).*",
        "",
        _gradient_refused_or_values_lost,
    ),
    _reason(
        "A number of 32 bits alone may be an attribute of MXNet's. Here it may have more.",
        r"(npx\.)?slice\(.*|(np )?a\[i.*|np\.tril.*|contrib\.(box_nms|MultiBoxDetection)\(.*|np\.roll.*",
        "2^31",
        lambda theirs, mine: "error" not in mine,
    ),
    _reason(
        "A part without elements. MXNet makes it of a size that is not known yet, and stops at its gradient, "
        "or where it is "
        "cut off further than the array reaches. Here it is empty, and its gradient is zeros.",
        r"(npx\.)?slice\(.*|(np )?a\[i::-1\]|(np )?a\.slice_assign",
        "-n -n-1 n n+1 2^31",
        lambda theirs, mine: "error" not in mine,
    ),
    _reason(
        "Arithmetic of 32 bits in MXNet. Here it is that of the element type, and NaN stays NaN.",
        r"(un)?ravel_multi_index.*|unravel_index",
        "2^31 NaN inf -inf",
        _both_answer,
    ),
    _reason(
        "MXNet asks NumPy, which takes whole numbers in range alone. Here it is arithmetic, as in "
        "`nd.unravel_index`.",
        r"np\.unravel_index",
        "",
        _refused_there,
    ),
    _reason(
        "MXNet inserts a number into a vector alone. Here it makes a "
        "row.", r"np\.insert\(position\)", "", _refused_there),
    _reason(
        "The number of a box that is not there. MXNet reads memory that is not the array's. Here it is that "
        "of the nearest one.",
        r"contrib\.box_encode.*",
        "-1 -n -n-1 n n+1 2^31 NaN inf -inf",
        _answered_here,
    ),
    _reason(
        "Here a box with NaN overlaps nothing, and a score of NaN is the lowest. In MXNet the overlap is "
        "NaN, and a score of NaN "
        "is anywhere in the order.",
        r"contrib\.box_iou, corner|contrib\.MultiBoxDetection, probability",
        "NaN",
        _both_answer,
    ),
    _reason(
        "MXNet checks that all of a row of padding is -1. Here what stands behind class -1 is not read.",
        r"contrib\.MultiBoxTarget, class",
        "-1",
        _refused_there,
    ),
    _reason(
        "MXNet ends the process where `Proposal` raises an error. Here both raise it.",
        r"contrib\.MultiProposal, image size",
        "2^31",
        lambda theirs, mine: "ends" in theirs and "error" in mine,
    ),
    _reason(
        "A point that is not a number. MXNet ends the process. Here nothing is read there.",
        r"contrib\.DeformableConvolution",
        "NaN",
        lambda theirs, mine: _lost(theirs, mine) and not _has_nan(mine),
    ),
]  # fmt: skip


def reason_for(call: str, column: str, theirs: Answer, mine: Answer) -> Reason | None:
    """Return why a call answers something else than MXNet, None if nobody has said."""
    for reason in REASONS:
        if (
            re.fullmatch(reason.calls, call)
            and (not reason.columns or column in reason.columns)
            and reason.holds(theirs, mine)
        ):
            return reason
    return None
