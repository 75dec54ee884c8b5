"""Connectionist temporal classification, a loss for sequences whose labels aren't aligned with time steps.

A path contains a class or "blank" for every time step. A path spells a label if removing repeated classes, and then
blanks, leaves this label. The loss is minus the logarithm of the total probability of the paths that spell the label.
The forward variables sum over the beginnings of paths, and the backward variables sum over the ends of paths. The
products of forward and backward variables determine the gradient. The computation is vectorized over sequences, and
loops over time steps in Python.
"""

from __future__ import annotations

from typing import Any, Literal

from ..core.operator import Array, operator
from . import rules
from .index import integer_indices
from .nn import require_float
from .portable import greatest

FAMILY = "reduction"
MEANINGS = {
    "use_data_lengths": "Whether the lengths of the sequences are used.",
    "use_label_lengths": "Whether the lengths of the labels are used.",
}

#: The logarithm of zero, which is finite here so that differences are defined.
_NEVER = -1e30


def _log_sum(xp: Any, terms: tuple[Any, ...]) -> Any:
    """Return the logarithm of a sum, given the logarithms of its terms."""
    stacked = xp.stack(terms)
    top = greatest(xp, stacked, 0)[0]
    return xp.log(xp.add.reduce(xp.exp(stacked - top), axis=0)) + top


def _shifted(xp: Any, x: Any, by: int) -> Any:
    """Shift the states (last axis) up, or down for a negative number; new states have probability 0."""
    result = xp.full_like(x, _NEVER)
    if by > 0:
        result[:, by:] = x[:, :-by]
    else:
        result[:, :by] = x[:, -by:]
    return result


def _rounded(xp: Any, numbers: Any) -> Any:
    """Return rounded numbers; halves are rounded up, as in MXNet."""
    return integer_indices(xp.floor(numbers + 0.5) if numbers.dtype.kind == "f" else numbers)


def _lengths(xp: Any, label: Any, given: Any, padding: int) -> Any:
    """Return the number of labels in each row: `given`, or the number before the first padding."""
    if given is not None:
        return xp.minimum(xp.maximum(_rounded(xp, given), 0), label.shape[1])
    ended = label == padding
    return xp.where(ended.any(axis=1), ended.argmax(axis=1), label.shape[1])


def _forward(xp: Any, emission: Any, skip: Any) -> Any:
    """Return the log-probabilities of all beginnings of paths, by ``(time, sequence, state)``."""
    alpha = xp.full_like(emission, _NEVER)
    alpha[0, :, :2] = emission[0, :, :2]
    for t in range(1, len(emission)):
        a = alpha[t - 1]
        alpha[t] = emission[t] + _log_sum(xp, (a, _shifted(xp, a, 1), _shifted(xp, a, 2) + skip))
    return alpha


def _backward(xp: Any, emission: Any, skip: Any, last: Any, end: Any) -> Any:
    """Return the log-probabilities of all ends of paths, without the current emission."""
    beta = xp.empty_like(emission)
    following = xp.full_like(end, _NEVER)
    ahead = _shifted(xp, skip, -2)
    for t in range(len(emission) - 1, -1, -1):
        if t + 1 < len(emission):
            b = beta[t + 1] + emission[t + 1]
            following = _log_sum(xp, (b, _shifted(xp, b, -1), _shifted(xp, b, -2) + ahead))
        beta[t] = xp.where((last == t)[:, None], end, following)
    return beta


def _check(data: Any, label: Any) -> None:
    rules.require(
        len(data) == 3,
        f"dshape.ndim() == 3U ({len(data)} vs. 3) : The number of dimensions of data array must be 3.",
    )
    rules.require(
        len(label) == 2,
        f"lshape.ndim() == 2U ({len(label)} vs. 2) : The number of dimensions of labels array must be 2.",
    )
    rules.require(
        None in (label[0], data[1]) or label[0] == data[1],
        f"dshape[1] == lshape[0] ({data[1]} vs. {label[0]}) : "
        "The batch size for the labels and data arrays must be the same.",
    )
    rules.require(
        None in (label[1], data[0]) or label[1] <= data[0],
        f"dshape[0] >= lshape[1] ({data[0]} vs. {label[1]}) : "
        "The max number of labels cannot exceed the maximum sequence length of the data.",
    )


@operator("CTCLoss", "ctc_loss", "_contrib_CTCLoss", "_contrib_ctc_loss", outputs=2, visible_outputs=1, threaded=True)
def ctc_loss(
    xp,
    data: Array,
    label: Array,
    data_lengths: Array | None = None,
    label_lengths: Array | None = None,
    use_data_lengths: bool = False,
    use_label_lengths: bool = False,
    blank_label: Literal["first", "last"] = "first",
):
    """Return the connectionist temporal classification loss of sequences.

    Parameters
    ----------
    data : array
        The activations before the softmax, of shape ``(time, sequence, class)``.
    label : array
        The labels, of shape ``(sequence, length)``. If the blank is first, classes start at 1 and the padding is 0. If
        the blank is last, classes start at 0 and the padding is -1.
    data_lengths, label_lengths : array, optional
        The number of time steps and the number of labels of each sequence. ``use_data_lengths`` and
        ``use_label_lengths`` enable these inputs.
    blank_label : {"first", "last"}
        Whether the blank is the first or the last class.

    Notes
    -----
    The hidden second output is the gradient with respect to the data.

    Examples
    --------
    >>> nd.exp(-nd.CTCLoss(nd.zeros((2, 1, 2)), nd.array([[1]])))  # all paths but blank, blank
    <BLANKLINE>
    [0.75]
    <NDArray 1 @cpu(0)>
    """
    require_float(data)
    _check(data.shape, label.shape)
    steps, count, classes = data.shape
    blank, padding = (0, 0) if blank_label == "first" else (classes - 1, -1)
    lengths = _lengths(xp, label, label_lengths, padding)
    label = _rounded(xp, label)
    last = xp.full(count, steps - 1)
    if data_lengths is not None:
        last = xp.minimum(xp.maximum(_rounded(xp, data_lengths), 0), steps) - 1

    # The states of a path: blank, label, blank, label, ..., blank.
    states = xp.full((count, 2 * label.shape[1] + 1), blank)
    states[:, 1::2] = xp.where(label < 0, blank, label)  # a label that is not a class is the blank
    places = xp.arange(states.shape[1])
    skip = xp.full(states.shape, _NEVER, data.dtype)  # the log-probability of omitting the blank
    distinct = (states[:, 3::2] != states[:, 1:-2:2]) & (states[:, 3::2] != blank)
    skip[:, 3::2] = xp.where(distinct, 0, _NEVER)
    final = 2 * lengths[:, None]
    end = xp.where((places == final) | (places == final - 1), 0, _NEVER).astype(data.dtype)

    x = data - greatest(xp, data, 2)
    log_probability = x - xp.log(xp.add.reduce(xp.exp(x), axis=2, keepdims=True))
    emission = xp.take_along_axis(log_probability, states[None], axis=2)
    alpha = _forward(xp, emission, skip)
    at_end = xp.take_along_axis(alpha, xp.maximum(last, 0)[None, :, None], axis=0)[0] + end
    total = _log_sum(xp, tuple(at_end.T))

    posterior = xp.exp(alpha + _backward(xp, emission, skip, last, end) - total[:, None])
    one_hot = (states[:, :, None] == xp.arange(classes)).astype(data.dtype)
    expected = xp.matmul(posterior.transpose(1, 0, 2), one_hot).transpose(1, 0, 2)
    # As in MXNet, the loss is 0 if no path exists, because there are too many labels or no time steps.
    possible = ~(total <= _NEVER / 2) & (last >= 0)  # a loss of NaN must have a gradient of NaN
    alive = (xp.arange(steps)[:, None, None] <= last[:, None]) & possible[:, None]
    # After its end, a sequence may contain NaN.
    return -total * possible, xp.where(alive, xp.exp(log_probability) - expected, 0)


ctc_loss.precision = "single"
ctc_loss.lenient = True


@ctc_loss.infer_shape
def _(data, label, data_lengths=None, label_lengths=None, *, use_data_lengths, use_label_lengths, **attributes):
    count = 4 if use_label_lengths else 3 if use_data_lengths else 2
    if data is None:
        return [data, label, data_lengths, label_lengths][:count], [None, None]
    if label is not None:
        _check(data, label)
    batch = (data[1],)
    return [data, label, batch if use_data_lengths else None, batch][:count], [batch, data]


@ctc_loss.infer_type
def _(data, label, *lengths, **attributes):
    return [data, label, *lengths], [data, data]


@ctc_loss.input_names
def _(*, use_data_lengths, use_label_lengths, **attributes):
    return [
        "data", "label", *["data_lengths"] * use_data_lengths, *["label_lengths"] * use_label_lengths
    ]  # fmt: skip


ctc_loss.output_names(lambda **attributes: ["output0"])
ctc_loss.hidden_names = ("output1",)


@ctc_loss.gradient
def _(F, dy, y, data, label, *lengths, **attributes):
    return [F.broadcast_mul(F._along_axis(dy[0], y[1], axis=1), y[1]), None, *(None for _ in lengths)]
