"""The likelihood of Hawkes processes, in which an event temporarily increases the probability of further events.

Each event has a mark, and the events with the same mark form a process. The base intensity of a process is ``lda``.
Each event adds ``alpha * beta`` to the intensity, and this increase decays at the rate ``beta``. The state of a process
is one number for the influence of all previous events: each event adds 1, and after a time ``d``, the state is
multiplied by ``exp(-beta * d)``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy

from ...error import MXNetError
from ..core.infer import require
from ..core.operator import Array, operator
from ..support.plural import counted
from . import rules
from .not_differentiable import not_differentiable

FAMILY = "other"
NAMES = ("lda", "alpha", "beta", "state", "lags", "marks", "valid_length", "max_time")


class _Process(NamedTuple):
    """The state and the results at an event, for the mark of this event in each example.

    Attributes
    ----------
    mark : array
        The mark, of shape ``(example,)``.
    there : array
        Whether the example has this event.
    lda, alpha, beta : array
        The parameters of the mark.
    past, left : array
        The state after the previous event, and the share of this state that is left.
    gap : array
        The time since the previous event.
    """

    mark: Any
    there: Any
    lda: Any
    alpha: Any
    beta: Any
    past: Any
    left: Any
    gap: Any

    @property
    def intensity(self) -> Any:
        """The intensity just before the event."""
        return self.lda + self.alpha * self.beta * self.past * self.left

    @property
    def expected(self) -> Any:
        """The expected number of events since the previous one."""
        return self.lda * self.gap + self.alpha * self.past * (1 - self.left)


class _Remainder(NamedTuple):
    """The time after the last event of each mark, as arrays of shape (example, mark)."""

    state: Any
    gap: Any
    left: Any


def _run(xp: Any, lda: Any, alpha: Any, beta: Any, state: Any, lags: Any, marks: Any, valid_length: Any, end: Any):
    """Return the results of all events, in order of time, and the remainder after the last event."""
    if xp is numpy and (valid_length > lags.shape[1]).any():
        raise MXNetError(
            f"Check failed: valid_length <= T: valid_length contains {valid_length.max():g}, but each row of lags has "
            f"{counted(lags.shape[1], 'event')}"
        )
    each, last, now = xp.arange(len(lda)), xp.zeros_like(lda), xp.zeros_like(end)
    state, steps = state.copy(), []
    for j in range(lags.shape[1]):
        mark, there = marks[:, j], j < valid_length
        if xp is not numpy:  # marks beyond the valid length may have any value
            mark = xp.where(there, mark, 0)
        elif (wrong := there & ((mark < 0) | (mark >= lda.shape[1]))).any():
            raise MXNetError(
                f"Check failed: 0 <= marks && marks < K: marks contains {mark[wrong][0]}, but each mark must be at "
                f"least 0 and less than K = {lda.shape[1]}, the number of processes"
            )
        else:
            mark = numpy.where(there, mark, 0)
        now = now + xp.where(there, lags[:, j], 0)
        gap = now - last[each, mark]
        past = state[each, mark]
        left = xp.exp(-beta[mark] * gap)
        steps.append(_Process(mark, there, lda[each, mark], alpha[mark], beta[mark], past, left, gap))
        state[each, mark] = xp.where(there, 1 + past * left, past)
        last[each, mark] = xp.where(there, now, last[each, mark])
    gap = end[:, None] - last
    return steps, _Remainder(state, gap, xp.exp(-beta * gap))


@operator("_contrib_hawkesll", outputs=2, fresh=True)
def hawkesll(
    xp,
    lda: Array,
    alpha: Array,
    beta: Array,
    state: Array,
    lags: Array,
    marks: Array,
    valid_length: Array,
    max_time: Array,
):
    """Return the log-likelihood of a sequence of events, each from one of K Hawkes processes.

    The intensity of process k at time t is ``lda_k + alpha_k * beta_k * sum(exp(-beta_k * (t - t_i)))``, over its
    events ``t_i`` before t. There are N examples of up to T events.

    Parameters
    ----------
    lda : array
        The intensities without events, of shape ``(N, K)``.
    alpha : array
        The average number of events that an event causes, of shape ``(K,)``.
    beta : array
        The decay rates of the influence of an event, of shape ``(K,)``.
    state : array
        The influence of events before time 0, ``sum(exp(beta_k * t_i))`` over negative times, of shape ``(N, K)``.
    lags : array
        The times between events, of shape ``(N, T)``. The first element is the time from 0 to the first event.
    marks : array of int32
        The process of each event, of shape ``(N, T)``.
    valid_length : array
        The number of events of each example, of shape ``(N,)``.
    max_time : array
        The end of the observation of each example, of shape ``(N,)``.

    Returns
    -------
    list of array
        The log-likelihoods, of shape ``(N,)``, and the final states, of shape ``(N, K)``, with which later events of
        the same processes can be evaluated.

    Notes
    -----
    Both results have gradients with respect to all inputs except ``marks`` and ``valid_length``. In MXNet, only the
    first result has gradients, with respect to ``lda``, ``alpha``, and ``beta``.

    Examples
    --------
    >>> lda, alpha, beta = nd.array([[0.5, 1]]), nd.array([0.2, 0.4]), nd.array([1, 2])
    >>> lags, marks = nd.array([[1, 1, 2]]), nd.array([[0, 1, 0]], dtype="int32")
    >>> likelihood, state = nd.contrib.hawkesll(
    ...     lda, alpha, beta, nd.zeros((1, 2)), lags, marks, nd.array([3]), nd.array([5])
    ... )
    >>> likelihood
    <BLANKLINE>
    [-9.588345]
    <NDArray 1 @cpu(0)>
    >>> state.shape
    (1, 2)
    """
    steps, rest = _run(xp, lda, alpha, beta, state, lags, marks, valid_length, max_time)
    total = xp.zeros_like(max_time)
    for step in steps:
        total = total + xp.where(step.there, xp.log(step.intensity) - step.expected, 0)
    expected = lda * rest.gap + alpha * rest.state * (1 - rest.left)
    return [total - xp.add.reduce(expected, axis=1), rest.left * rest.state]


hawkesll.names_outputs = hawkesll.lenient = True
hawkesll.output_names(lambda: ["output", "out_state"])


def _shapes(*inputs: Any) -> tuple[list[Any], Any, Any]:
    """Return the completed shapes of the inputs, and the shapes of ``lda`` and ``lags``."""
    known: dict[str, Any] = dict(zip(NAMES, inputs, strict=True))
    for name, axes in (("lda", 2), ("alpha", 1), ("beta", 1), ("state", 2), ("lags", 2), ("marks", 2)):
        _check_axes(name, known[name], axes)
    for name in ("valid_length", "max_time"):
        _check_axes(name, known[name], 1)
    count: Any = (None,)
    for name in NAMES:
        if name not in ("alpha", "beta") and known[name] is not None:
            count = rules.unify(count, known[name][:1])
    kinds: Any = (None,)
    for shape in (known["lda"], known["state"], known["alpha"], known["beta"]):
        kinds = kinds if shape is None else rules.unify(kinds, shape[-1:])
    length: Any = (None,)
    for shape in (known["lags"], known["marks"]):
        length = length if shape is None else rules.unify(length, shape[1:])
    of_example, of_events = (*count, *kinds), (*count, *length)
    return [of_example, kinds, kinds, of_example, of_events, of_events, count, count], of_example, count


def _check_axes(name: str, shape: Any, axes: int) -> None:
    if shape is not None:
        wanted = "1 axis" if axes == 1 else f"{axes} axes"
        told = f"{name}.ndim() == {axes} ({len(shape)} vs. {axes}) : {name} must have {wanted} in hawkesll"
        require(len(shape) == axes, told)


@hawkesll.infer_shape
def _(lda, alpha, beta, state, lags, marks, valid_length, max_time):
    inputs, of_example, count = _shapes(lda, alpha, beta, state, lags, marks, valid_length, max_time)
    return inputs, [count, of_example]


@hawkesll.infer_type
def _(lda, alpha, beta, state, lags, marks, valid_length, max_time):
    others, [dtype] = rules.same_type(lda, alpha, beta, state, lags, valid_length, max_time)
    require(
        dtype is None or numpy.dtype(dtype).kind == "f",
        f"lda must have a floating-point element type in hawkesll, not {dtype}",
    )
    require(
        marks is None or numpy.dtype(marks) == numpy.int32,
        f"marks.dtype == int32: marks must have the element type int32 in hawkesll, not {marks}",
    )
    return [*others[:5], numpy.dtype("int32"), *others[5:]], [dtype, dtype]


@hawkesll.gradient
def _(F, dy, y, lda, alpha, beta, state, lags, marks, valid_length, max_time):
    found = F._backward_hawkesll(dy[0], dy[1], lda, alpha, beta, state, lags, marks, valid_length, max_time)
    return [*found[:5], None, None, found[5]]


class _Sums:
    """The gradients of the parameters, of shape ``(example, mark)``, summed from the last event to the first."""

    def __init__(self, xp: Any, like: Any) -> None:
        self.lda, self.alpha, self.beta = (xp.zeros_like(like) for _ in range(3))


def _of_the_end(sums: _Sums, dy: Any, of_state: Any, lda: Any, alpha: Any, beta: Any, rest: _Remainder):
    """Differentiate the result for the time after the last event; return the gradients of the state and of the gap."""
    dy = dy[:, None]
    sums.lda -= dy * rest.gap
    sums.alpha -= dy * rest.state * (1 - rest.left)
    of_left = (dy * alpha + of_state) * rest.state
    sums.beta -= of_left * rest.gap * rest.left
    of_gap = -dy * lda - of_left * beta * rest.left
    return of_state * rest.left - dy * alpha * (1 - rest.left), of_gap


@operator("_backward_hawkesll", outputs=6, fresh=True)
def hawkesll_gradient(
    xp,
    dy: Array,
    dstate: Array,
    lda: Array,
    alpha: Array,
    beta: Array,
    state: Array,
    lags: Array,
    marks: Array,
    valid_length: Array,
    max_time: Array,
):
    """Return the gradients of hawkesll with respect to lda, alpha, beta, state, lags, and max_time."""
    steps, rest = _run(xp, lda, alpha, beta, state, lags, marks, valid_length, max_time)
    sums, each = _Sums(xp, lda), xp.arange(len(lda))
    of_state, of_gap = _of_the_end(sums, dy, dstate, lda, alpha, beta, rest)
    of_end, of_last = xp.add.reduce(of_gap, axis=1), -of_gap
    of_now, of_lags = xp.zeros_like(dy), xp.zeros_like(lags)
    for j in range(len(steps) - 1, -1, -1):
        a = steps[j]
        place = (each, a.mark)
        by_intensity = xp.where(a.there, dy / a.intensity, 0)
        heads, after = xp.where(a.there, dy, 0), xp.where(a.there, of_state[place], 0)
        sums.lda[place] += by_intensity - heads * a.gap
        sums.alpha[place] += by_intensity * a.beta * a.past * a.left - heads * a.past * (1 - a.left)
        by_left = (by_intensity * a.alpha * a.beta + heads * a.alpha + after) * a.past
        sums.beta[place] += by_intensity * a.alpha * a.past * a.left - by_left * a.gap * a.left
        by_gap = -heads * a.lda - by_left * a.beta * a.left
        by_past = (by_intensity * a.alpha * a.beta + after) * a.left - heads * a.alpha * (1 - a.left)
        of_now = of_now + xp.where(a.there, by_gap + of_last[place], 0)
        of_lags[:, j] = xp.where(a.there, of_now, 0)
        of_last[place] = xp.where(a.there, -by_gap, of_last[place])
        of_state[place] = xp.where(a.there, by_past, of_state[place])
    alphas, betas = (xp.add.reduce(sum_, axis=0) for sum_ in (sums.alpha, sums.beta))
    return [sums.lda, alphas, betas, of_state, of_lags, of_end]


@hawkesll_gradient.infer_shape
def _(dy, dstate, *inputs):
    inputs, of_example, count = _shapes(*inputs)
    return [count, of_example, *inputs], [*inputs[:5], inputs[7]]


@hawkesll_gradient.infer_type
def _(dy, dstate, lda, alpha, beta, state, lags, marks, valid_length, max_time):
    given, [dtype] = rules.same_type(dy, dstate, lda, alpha, beta, state, lags, valid_length, max_time)
    return [*given[:7], marks, *given[7:]], [dtype] * 6


not_differentiable(hawkesll_gradient)
