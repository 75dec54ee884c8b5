"""One recurrent layer in one direction, forward over time and backward through time.

The contribution of the inputs to all gates is one matrix product for all time steps. Only the contribution of the
states is computed step by step. The last axis contains the gates in order: input, forget, candidate, and output for an
LSTM, or reset, update, and candidate for a GRU.

An LSTM computes with the batch as the *last* axis, so that each gate is contiguous. The product of each step, ``weights
· states``, then needs no transposed weights, and is twice as fast as ``states · weightsᵀ`` for small batches. The
results are views with the axes in the usual order.

In the backward pass, the factors that don't depend on gradients of later steps (``slope``) are computed for all steps
beforehand, so that a step is little more than one product.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .activation import EXP_LIMIT, sigmoid
from .elementwise import at_least

#: The number of gates by mode.
GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}


class Weights(NamedTuple):
    """The parameters of one layer in one direction, with gates along the first axis.

    Attributes
    ----------
    i2h, h2h : array
        The weights, of shapes ``(gates · hidden, inputs)`` and ``(gates · hidden, states)``.
    i2h_bias, h2h_bias : array
        The biases, of shape ``(gates · hidden,)``.
    h2r : array or None
        The projection of an LSTM, of shape ``(states, hidden)``; None without a projection.
    """

    i2h: Any
    h2h: Any
    i2h_bias: Any
    h2h_bias: Any
    h2r: Any = None


class Run(NamedTuple):
    """The values that a forward pass keeps for the backward pass.

    Attributes
    ----------
    x : array
        The inputs, of shape ``(time, batch, inputs)``.
    h, c : array
        The states, of shape ``(1 + time, batch, states)``, and the cells, of shape ``(1 + time, batch, hidden)``,
        starting with the initial states and cells; ``c`` is None unless the mode is ``"lstm"``.
    gates : array
        The activated gates, of shape ``(time, batch, gates · hidden)``.
    extra : array or None
        The contribution of the states to the candidate of a GRU, or the unprojected states of a projected LSTM.
    """

    x: Any
    h: Any
    c: Any
    gates: Any
    extra: Any = None


def forward(xp: Any, mode: str, x: Any, w: Weights, h: Any, c: Any = None) -> Run:
    """Run one layer over a sequence.

    Parameters
    ----------
    xp : module
        NumPy or CuPy.
    mode : {"rnn_relu", "rnn_tanh", "lstm", "gru"}
        The type of the cell.
    x : array
        The inputs, of shape ``(time, batch, inputs)``.
    w : Weights
        The weights and biases of the layer.
    h, c : array
        The initial states, of shape ``(batch, states)``, and, for ``"lstm"``, the initial cells, of shape ``(batch,
        hidden)``.

    Returns
    -------
    Run
        The states, and all other values that the backward pass needs.
    """
    if mode == "lstm":
        return _lstm(xp, x, w, h, c)
    steps, batch, features = x.shape
    bias = w.i2h_bias if mode == "gru" else w.i2h_bias + w.h2h_bias
    gates = xp.dot(x.reshape(-1, features), w.i2h.T).reshape(steps, batch, len(w.i2h))
    xp.add(gates, bias, out=gates)
    states = xp.empty((steps + 1, *h.shape), h.dtype)
    states[0] = h
    if mode == "gru":
        return _gru(xp, x, gates, states, w)
    recurrent = w.h2h.T
    for t in range(steps):
        now = states[t + 1]
        xp.add(gates[t], xp.dot(states[t], recurrent), out=now)
        if mode == "rnn_relu":
            at_least(xp, now, 0, out=now)
        else:
            xp.tanh(now, out=now)
    return Run(x, states, None, gates)


#: The smallest batch size for which one product for each step is as fast as one product for all steps.
_WIDE = 4


def _by_step(xp: Any, x: Any, weight: Any) -> Any:
    """Return ``weight · x`` for each step, with the batch last, as ``(time, outputs, batch)``."""
    steps, batch, features = x.shape
    if batch < _WIDE:
        rows = xp.dot(x.reshape(-1, features), weight.T).reshape(steps, batch, len(weight))
        return xp.ascontiguousarray(turned(rows))
    return xp.matmul(weight, xp.ascontiguousarray(turned(x)))


def turned(x: Any) -> Any:
    """Return a view of ``(time, batch, units)`` as ``(time, units, batch)``, or vice versa."""
    return x.transpose(0, 2, 1)


def _sigmoid_in_place(xp: Any, x: Any) -> None:
    """Compute :func:`.activation.sigmoid` in place."""
    at_least(xp, x, -EXP_LIMIT[x.dtype.itemsize], out=x)
    xp.negative(x, out=x)
    xp.exp(x, out=x)
    xp.add(x, 1, out=x)
    xp.reciprocal(x, out=x)


def _lstm(xp: Any, x: Any, w: Weights, h: Any, c: Any) -> Run:
    steps, hidden = len(x), c.shape[-1]
    gates = _by_step(xp, x, w.i2h)
    xp.add(gates, (w.i2h_bias + w.h2h_bias)[:, None], out=gates)
    states, cells = xp.empty((steps + 1, *h.T.shape), h.dtype), xp.empty((steps + 1, *c.T.shape), c.dtype)
    states[0], cells[0] = h.T, c.T
    raw = states[1:] if w.h2r is None else xp.empty((steps, *c.T.shape), c.dtype)
    candidate = xp.empty_like(cells[0])
    for t in range(steps):
        g, cell = gates[t], cells[t + 1]
        xp.add(g, xp.dot(w.h2h, states[t]), out=g)
        xp.tanh(g[2 * hidden : 3 * hidden], out=candidate)
        _sigmoid_in_place(xp, g)  # one call for four gates is faster than three calls
        g[2 * hidden : 3 * hidden] = candidate
        xp.multiply(g[hidden : 2 * hidden], cells[t], out=cell)
        xp.multiply(candidate, g[:hidden], out=candidate)
        xp.add(cell, candidate, out=cell)
        xp.tanh(cell, out=candidate)
        xp.multiply(g[3 * hidden :], candidate, out=raw[t])
        if w.h2r is not None:
            states[t + 1] = xp.dot(w.h2r, raw[t])
    extra = None if w.h2r is None else turned(raw)
    return Run(x, turned(states), turned(cells), turned(gates), extra)


def _gru(xp: Any, x: Any, gates: Any, states: Any, w: Weights) -> Run:
    hidden = states.shape[-1]
    candidates = xp.empty((len(gates), *states.shape[1:]), states.dtype)
    recurrent = w.h2h.T
    for t in range(len(gates)):
        g, h = gates[t], states[t]
        part = xp.dot(h, recurrent)
        xp.add(part, w.h2h_bias, out=part)
        g[:, : 2 * hidden] = sigmoid(xp, g[:, : 2 * hidden] + part[:, : 2 * hidden])
        candidates[t] = part[:, 2 * hidden :]
        candidate = g[:, 2 * hidden :]
        xp.add(candidate, g[:, :hidden] * candidates[t], out=candidate)
        xp.tanh(candidate, out=candidate)
        now = states[t + 1]
        xp.subtract(h, candidate, out=now)
        xp.multiply(now, g[:, hidden : 2 * hidden], out=now)
        xp.add(now, candidate, out=now)
    return Run(x, states, None, gates, candidates)


def backward(xp: Any, mode: str, run: Run, w: Weights, dh: Any, dc: Any = None) -> tuple[Any, Weights, Any, Any]:
    """Run the backward pass of one layer.

    Parameters
    ----------
    xp : module
        NumPy or CuPy.
    mode : str
        As for :func:`forward`.
    run : Run
        The result of the forward pass.
    w : Weights
        The weights and biases of the layer.
    dh : array
        The gradients with respect to the states after each step, of shape ``(time, batch, states)``.
    dc : array, optional
        The gradients with respect to the cells after each step, or only after the last step, of shape ``(batch,
        hidden)``.

    Returns
    -------
    tuple
        The gradients with respect to the inputs, the parameters, and the initial states h and c. The last gradient is
        None unless ``mode`` is ``"lstm"``.
    """
    if mode == "lstm":
        return _lstm_backward(xp, run, w, dh, dc)
    if mode == "gru":
        from_inputs, from_states, d_h0 = _gru_backward(xp, run, w, dh)
    else:
        now = run.h[1:]
        slope = (now > 0).astype(now.dtype) if mode == "rnn_relu" else 1 - now * now
        from_inputs = xp.empty_like(run.gates)
        carry: Any = 0
        for t in range(len(slope) - 1, -1, -1):
            xp.multiply(dh[t] + carry, slope[t], out=from_inputs[t])
            carry = xp.dot(from_inputs[t], w.h2h)
        from_states, d_h0 = from_inputs, carry
    dx, gradients = _parameter_gradients(xp, run, w, from_inputs, from_states)
    return dx, gradients, d_h0, None


def _parameter_gradients(xp: Any, run: Run, w: Weights, from_inputs: Any, from_states: Any) -> tuple[Any, Weights]:
    """Return the gradients of inputs and parameters, given those of the gates before activation."""
    rows = from_inputs.reshape(-1, from_inputs.shape[-1])
    other = rows if from_states is from_inputs else from_states.reshape(rows.shape)
    dx = xp.dot(rows, w.i2h).reshape(run.x.shape)
    before = run.h[:-1].reshape(len(rows), run.h.shape[-1])
    bias = xp.add.reduce(rows, axis=0)
    gradients = Weights(
        xp.dot(rows.T, run.x.reshape(len(rows), run.x.shape[-1])),
        xp.dot(other.T, before),
        bias,
        bias if other is rows else xp.add.reduce(other, axis=0),
    )
    return dx, gradients


def _lstm_backward(xp: Any, run: Run, w: Weights, dh: Any, dc: Any) -> tuple[Any, Weights, Any, Any]:
    steps, batch, hidden = run.c.shape[0] - 1, *run.c.shape[1:]
    gates, cells = turned(run.gates).reshape(steps, 4, hidden, batch), turned(run.c)
    entry, forget, candidate, output = (gates[:, i] for i in range(4))
    curve = xp.tanh(cells[1:])
    to_cell = curve * curve
    xp.subtract(1, to_cell, out=to_cell)
    xp.multiply(to_cell, output, out=to_cell)
    slope = xp.subtract(1, gates)
    xp.multiply(slope, gates, out=slope)
    for i, factor in ((0, candidate), (1, cells[:-1]), (3, curve)):
        xp.multiply(slope[:, i], factor, out=slope[:, i])
    xp.multiply(candidate, candidate, out=slope[:, 2])
    xp.subtract(1, slope[:, 2], out=slope[:, 2])
    xp.multiply(slope[:, 2], entry, out=slope[:, 2])
    d_gates = slope  # each step overwrites its slopes after their last use
    dh, recurrent = xp.ascontiguousarray(turned(dh)), xp.ascontiguousarray(w.h2h.T)
    carry_c: Any = dc.T if dc is not None and dc.ndim == 2 else 0
    dc = None if dc is None or dc.ndim == 2 else turned(dc)
    projection = None if w.h2r is None else w.h2r.T
    d_states = None if projection is None else xp.empty_like(dh)
    carry_h: Any = 0
    for t in range(steps - 1, -1, -1):
        d_raw = dh[t] + carry_h
        if d_states is not None:
            d_states[t] = d_raw
            d_raw = xp.dot(projection, d_raw)
        d_cell = d_raw * to_cell[t] + carry_c
        if dc is not None:
            d_cell += dc[t]
        xp.multiply(d_cell, slope[t, :3], out=d_gates[t, :3])
        xp.multiply(d_raw, slope[t, 3], out=d_gates[t, 3])
        carry_c = d_cell * forget[t]
        carry_h = xp.dot(recurrent, d_gates[t].reshape(4 * hidden, batch))
    flat = xp.ascontiguousarray(turned(d_gates.reshape(steps, 4 * hidden, batch)))
    dx, gradients = _parameter_gradients(xp, run, w, flat, flat)
    if d_states is not None:
        rows = turned(d_states).reshape(steps * batch, d_states.shape[1])
        gradients = gradients._replace(h2r=xp.dot(rows.T, run.extra.reshape(steps * batch, hidden)))
    return dx, gradients, carry_h.T, carry_c.T


def _gru_backward(xp: Any, run: Run, w: Weights, dh: Any) -> tuple[Any, Any, Any]:
    hidden = run.h.shape[-1]
    steps, batch = run.gates.shape[:2]
    gates = run.gates.reshape(steps, batch, 3, hidden)
    reset, update, candidate = (gates[:, :, i] for i in range(3))
    slope = xp.empty_like(gates)  # the derivative with respect to the contribution of the states
    fresh = (1 - update) * (1 - candidate * candidate)
    slope[:, :, 0] = fresh * run.extra * reset * (1 - reset)
    slope[:, :, 1] = (run.h[:-1] - candidate) * update * (1 - update)
    slope[:, :, 2] = fresh * reset
    from_states = xp.empty_like(gates)
    from_inputs = xp.empty_like(gates)
    carry: Any = 0
    for t in range(steps - 1, -1, -1):
        total = dh[t] + carry
        xp.multiply(total[:, None], slope[t], out=from_states[t])
        xp.multiply(total, fresh[t], out=from_inputs[t, :, 2])
        carry = total * update[t] + xp.dot(from_states[t].reshape(batch, 3 * hidden), w.h2h)
    from_inputs[:, :, :2] = from_states[:, :, :2]
    return from_inputs.reshape(run.gates.shape), from_states.reshape(run.gates.shape), carry
