"""Recurrent layers that keep the values of the forward pass for the gradient.

The gradient operator of ``RNN`` repeats the forward pass, because its inputs don't include intermediate values. In a
compiled program with a backward pass, a compiler pass (:mod:`d2lhybrid.internals.compiler.passes.run_rnn_once`)
replaces ``RNN`` and its gradient operator with the operators of this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from ..core.operator import REQUIRED, Array, Generator, Training, operator
from .not_differentiable import not_differentiable
from .recurrent import GATES, Run
from .rnn import (
    SETTINGS,
    flops_of_gradient,
    flops_of_rnn,
    gradient_rule,
    rnn,
    rnn_gradient,
    run_backward,
    run_forward,
)

__all__ = ["count_kept", "rnn_from_kept", "rnn_keeping"]

FAMILY = "linear"


def _fields(mode: str, projection_size: int | None) -> list[str]:
    """Return the names of the arrays of a run that are kept, without the inputs."""
    fields = ["h", "c", "gates"] if mode == "lstm" else ["h", "gates"]
    return [*fields, "extra"] if mode == "gru" or projection_size else fields


def count_kept(*, mode: str, num_layers: int, bidirectional: bool, projection_size: int | None, **others: Any) -> int:
    """Return the number of arrays that ``_RNN_keeping`` keeps for the gradient.

    Examples
    --------
    >>> count_kept(mode="lstm", num_layers=2, bidirectional=True, projection_size=None)
    12
    """
    return num_layers * (1 + bidirectional) * len(_fields(mode, projection_size))


def _num_outputs(**settings: Any) -> int:
    return rnn.num_outputs(settings) + count_kept(**settings)


@operator("_RNN_keeping", outputs=_num_outputs, threaded=True)
def rnn_keeping(
    xp,
    data: Array,
    parameters: Array,
    state: Array,
    state_cell: Array | None = None,
    sequence_length: Array | None = None,
    state_size: int = REQUIRED,
    num_layers: int = REQUIRED,
    bidirectional: bool = False,
    mode: Literal["gru", "lstm", "rnn_relu", "rnn_tanh"] = REQUIRED,
    p: float = 0.0,
    state_outputs: bool = False,
    projection_size: int | None = None,
    use_sequence_length: bool = False,
    training: Training = False,
    rng: Generator = None,
):
    """Compute ``RNN`` and return its outputs, followed by the states and gates of each layer and direction."""
    outputs, runs = run_forward(
        xp, data, parameters, state, state_cell, sequence_length, training, rng,
        state_size=state_size, num_layers=num_layers, bidirectional=bidirectional, mode=mode, p=p,
        state_outputs=state_outputs, projection_size=projection_size,
    )  # fmt: skip
    return (*outputs, *(getattr(run, field) for run in runs for field in _fields(mode, projection_size)))


rnn_keeping.flops(flops_of_rnn)
rnn_keeping.draws_when(lambda *, p, **_: p > 0)


@rnn_keeping.input_names
def _(**settings):
    return rnn.list_inputs(settings)


@rnn_keeping.infer_shape
def _(data, parameters, state, *others, **settings):
    assert rnn.shape_rule is not None
    inputs, outputs = rnn.shape_rule(data, parameters, state, *others, **settings)
    if data is None or None in data:
        return inputs, [*outputs, *[None] * count_kept(**settings)]
    hidden, states, (steps, batch, _) = settings["state_size"], inputs[2][2], data
    shapes = {
        "h": (steps + 1, batch, states),
        "c": (steps + 1, batch, hidden),
        "gates": (steps, batch, GATES[settings["mode"]] * hidden),
        "extra": (steps, batch, hidden),
    }
    runs = settings["num_layers"] * (1 + settings["bidirectional"])
    return inputs, [*outputs, *[shapes[f] for f in _fields(settings["mode"], settings["projection_size"])] * runs]


@rnn_keeping.infer_type
def _(data, *others, **settings):
    assert rnn.type_rule is not None
    inputs, outputs = rnn.type_rule(data, *others, **settings)
    return inputs, [*outputs, *inputs[:1] * count_kept(**settings)]


not_differentiable(rnn_keeping)


@operator("_backward_RNN_from_kept", outputs=lambda **settings: rnn_gradient.num_outputs(settings), threaded=True)
def rnn_from_kept(
    xp,
    *arrays: Array,
    state_size: int = REQUIRED,
    num_layers: int = REQUIRED,
    bidirectional: bool = False,
    mode: Literal["gru", "lstm", "rnn_relu", "rnn_tanh"] = REQUIRED,
    p: float = 0.0,
    state_outputs: bool = False,
    projection_size: int | None = None,
    use_sequence_length: bool = False,
):
    """Return the gradients of ``RNN``; the inputs are those of ``_backward_RNN``, then the arrays that were kept."""
    settings = {
        "state_size": state_size, "num_layers": num_layers, "bidirectional": bidirectional, "mode": mode, "p": p,
        "state_outputs": state_outputs, "projection_size": projection_size,
        "use_sequence_length": use_sequence_length,
    }  # fmt: skip
    count = count_kept(**settings)
    return run_backward(xp, arrays[:-count], _runs(arrays[-count:], mode, projection_size), **settings)


def _runs(kept: Sequence[Any], mode: str, projection_size: int | None) -> list[Run]:
    fields = _fields(mode, projection_size)
    bare = Run(x=None, h=None, c=None, gates=None)
    return [
        bare._replace(**dict(zip(fields, kept[i : i + len(fields)], strict=True)))
        for i in range(0, len(kept), len(fields))
    ]


rnn_from_kept.flops(flops_of_gradient)
rnn_from_kept.infer_shape(gradient_rule)  # the results have the shapes of RNN's inputs
rnn_from_kept.infer_type(gradient_rule)
not_differentiable(rnn_from_kept)
assert set(SETTINGS) == set(rnn_from_kept.attributes)
