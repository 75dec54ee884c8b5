"""The operators of ``foreach``, ``while_loop``, and ``cond``, whose nodes contain graphs.

The graphs aren't compiled: an interpreter runs their nodes one by one. The gradient operator of a loop runs the loop
again, keeps the values of every step, and traverses the steps in reverse order (backpropagation through time). The
second run draws the same random numbers, because the initial state of the random stream is a hidden output.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from ..core.loops import Rows, While, is_true, merging
from ..core.operator import REQUIRED, Array, Generator, Operator, Shape, Training, operator
from ..core.subgraph import Subgraph
from ..device import array_modules
from .not_differentiable import not_differentiable

FAMILY = "control"


# --- shared code ---------------------------------------------------------------------------------------


def _with_stream(num_outputs: int, **_: Any) -> int:
    return num_outputs + 1


def _visible(num_outputs: int, **_: Any) -> int:
    return num_outputs


def _draws(subgraphs: Sequence[Subgraph], **_: Any) -> bool:
    return any(body.random for body in subgraphs)


#: The shape of the array that stores the state of a generator.
_STREAM = (6,)


def _stream(xp: Any, bodies: Sequence[Subgraph], rng: Any) -> tuple[Any, Any]:
    """Return the generator from which the bodies draw, and an array with which the gradient repeats the draws.

    The bodies draw the same random numbers as an eager program. On a GPU, generators don't expose their state, so each
    loop has a separate generator.
    """
    if rng is None or not any(body.random for body in bodies):
        return xp.zeros(_STREAM, numpy.int64), None
    state = array_modules.random_state(rng)
    if state is None:
        seed = rng.integers(1 << 62, size=_STREAM)
        return seed, _again(xp, bodies, seed)
    low, high = 2**64 - 1, 64
    inside = [state["state"][key] for key in ("state", "inc")]
    words = [word for number in inside for word in (number & low, number >> high)]
    return numpy.array([*words, state["has_uint32"], state["uinteger"]], numpy.uint64).view(numpy.int64), rng


def _again(xp: Any, bodies: Sequence[Subgraph], stream: Any) -> Any:
    """Return a generator that repeats the draws of a stream."""
    if not any(body.random for body in bodies):
        return None
    if xp is not numpy:
        return xp.random.default_rng(int(stream[0]))
    words = [int(word) for word in stream.view(numpy.uint64)]
    bits = numpy.random.PCG64()
    bits.state = {
        "bit_generator": "PCG64",
        "state": {"state": words[0] | words[1] << 64, "inc": words[2] | words[3] << 64},
        "has_uint32": words[4],
        "uinteger": words[5],
    }
    return numpy.random.Generator(bits)


def _own(xp: Any, arrays: Sequence[Any], inputs: Sequence[Any]) -> list[Any]:
    """Return arrays that share memory neither with the inputs nor with each other."""
    owned: list[Any] = []
    for array in map(xp.asarray, arrays):
        shared = any(xp.may_share_memory(array, other) for other in (*inputs, *owned))
        owned.append(array.copy() if shared else array)
    return owned


def _stacked(xp: Any, rows: Sequence[Sequence[Any]], column: int, length: int) -> Any:
    """Return one output of all steps along a new first axis, padded with zeros."""
    first = xp.asarray(rows[0][column])
    result = xp.zeros((length, *first.shape), first.dtype)
    for i, row in enumerate(rows):
        result[i] = row[column]
    return result


def _of_no_step(xp: Any, body: Subgraph, shapes: list[Any], dtypes: list[Any], count: int, length: int) -> list[Any]:
    """Return the outputs of a loop that ran no step."""
    shapes, dtypes = body.infer(shapes, "shapes")[1], body.infer(dtypes, "types")[1]
    return [xp.zeros((length, *shapes[i]), dtypes[i]) for i in range(count)]


def _sum(old: Any, gradient: Any) -> Any:
    return gradient if old is None else old if gradient is None else old + gradient


def _arrived(heads: Sequence[Any], given: Sequence[int]) -> list[Any]:
    """Return the gradients that have arrived, and None, not zeros, for others: zero times infinity is NaN."""
    return [head if there else None for head, there in zip(heads, given or [1] * len(heads), strict=True)]


def _or_zeros(xp: Any, gradients: Sequence[Any], inputs: Sequence[Any]) -> list[Any]:
    """Return gradients that own their memory, in the element types of the inputs, with zeros for missing gradients."""
    results = []
    for gradient, array in zip(gradients, inputs, strict=True):
        result = xp.zeros_like(array)
        if gradient is not None:
            result[...] = gradient
        results.append(result)
    return results


def _one_or_all(results: list[Any]) -> Any:
    """Return a single result, or several results as a list."""
    return results[0] if len(results) == 1 else results


def _backward_rules(op: Operator) -> None:
    """Attach the rules of a backward operator, whose results have the types of the forward operator's inputs."""

    def rule(*given: Any, num_grads: int, num_outputs: int, **_: Any) -> tuple[list[Any], list[Any]]:
        return list(given), list(given[num_outputs : num_outputs + num_grads])

    op.infer_shape(rule)
    op.infer_type(rule)
    not_differentiable(op)


def _gradient(op: Operator, backward: str) -> None:
    def rule(F: Any, dy: Any, y: Any, *inputs: Any, training: bool, arrived: tuple[int, ...], **attributes: Any) -> Any:
        call = getattr(F, backward)
        words = {**attributes, "train": training, "given": arrived[:-1]}
        grads = call(*dy[:-1], *inputs, y[-1], num_grads=len(inputs), **words)
        return grads if isinstance(grads, list | tuple) else [grads]

    op.gradient(rule)


# --- the loop over rows ----------------------------------------------------------------------------------


@operator("_foreach", outputs=_with_stream, visible_outputs=_visible)
def foreach(
    xp,
    *data: Array,
    num_outputs: int = REQUIRED,
    num_out_data: int = REQUIRED,
    in_state_locs: Shape = REQUIRED,
    in_data_locs: Shape = REQUIRED,
    remain_locs: Shape = REQUIRED,
    subgraphs: Any = (),
    training: Training = False,
    rng: Generator = None,
):
    """Run a graph over the rows of arrays, with states; ``sym.contrib.foreach`` creates this operator."""
    loop = Rows(subgraphs, num_out_data, in_data_locs, in_state_locs, remain_locs)
    stream, rng = _stream(xp, subgraphs, rng)
    rows, states = loop.run(xp, data, training, rng, None)
    if rows:
        outputs = [_stacked(xp, rows, k, len(rows)) for k in range(num_out_data)]
    else:
        rest = [a.shape for a in data[len(in_data_locs) :]]
        shapes = [*loop.row_shapes([d.shape for d in data[loop.rows]]), *rest]
        dtypes = loop.variables([a.dtype for a in data])
        outputs = _of_no_step(xp, loop.body, loop.variables(shapes), dtypes, num_out_data, 0)
    return [*outputs, *_own(xp, states, data), stream]


@foreach.infer_shape
def _(*shapes, num_out_data, in_data_locs, in_state_locs, remain_locs, subgraphs, **_):
    loop = Rows(subgraphs, num_out_data, in_data_locs, in_state_locs, remain_locs)
    data = shapes[loop.rows]
    length = next((shape[0] for shape in data if shape is not None), None)
    inputs, results = loop.infer([*loop.row_shapes(data), *shapes[len(data) :]], "shapes")
    rows = loop.data_shapes(length, inputs[loop.rows], data)
    outputs = [None if shape is None else (length, *shape) for shape in results[:num_out_data]]
    return [*rows, *inputs[len(data) :]], [*outputs, *results[num_out_data:], _STREAM]


@foreach.infer_type
def _(*dtypes, num_out_data, in_data_locs, in_state_locs, remain_locs, subgraphs, **_):
    loop = Rows(subgraphs, num_out_data, in_data_locs, in_state_locs, remain_locs)
    inputs, results = loop.infer(list(dtypes), "types")
    return inputs, [*results, numpy.dtype("int64")]


@operator("_backward_foreach", outputs=lambda num_grads, **_: num_grads)
def backward_foreach(
    xp,
    *data: Array,
    num_grads: int = REQUIRED,
    num_outputs: int = REQUIRED,
    num_out_data: int = REQUIRED,
    in_state_locs: Shape = REQUIRED,
    in_data_locs: Shape = REQUIRED,
    remain_locs: Shape = REQUIRED,
    subgraphs: Any = (),
    train: bool = False,
    given: Shape = (),
):
    """Return the gradients of ``_foreach``, given the outputs' gradients, the inputs, and the random stream."""
    loop = Rows(subgraphs, num_out_data, in_data_locs, in_state_locs, remain_locs)
    heads, inputs = _arrived(data[:num_outputs], given), data[num_outputs : num_outputs + num_grads]
    steps: list[Any] = []
    loop.run(xp, inputs, train, _again(xp, subgraphs, data[-1]), steps)
    rows = [xp.zeros_like(array) for array in inputs[loop.rows]]
    states, free, started = list(heads[num_out_data:]), [None] * len(remain_locs), loop.started()
    for i in range(len(steps) - 1, -1, -1):
        known = steps.pop()  # drops the values of this step to free memory
        arriving = [*(None if head is None else head[i] for head in heads[:num_out_data]), *states]
        grads = loop.inputs(loop.body.gradients(xp, known, arriving, train, started if i else ()))
        for row, gradient in zip(rows, grads[loop.rows], strict=True):
            if gradient is not None:
                row[i] = gradient.reshape(row.shape[1:])
        states = list(grads[loop.carried])
        free = [_sum(old, new) for old, new in zip(free, grads[loop.fixed], strict=True)]
    return _one_or_all([*rows, *_or_zeros(xp, [*states, *free], inputs[len(rows) :])])


foreach.draws_when(_draws)
foreach.starts_when(lambda subgraphs, **_: subgraphs[0].starts)
_gradient(foreach, "_backward_foreach")
_backward_rules(backward_foreach)


# --- the loop with a condition -----------------------------------------------------------------------------


@operator("_while_loop", outputs=_with_stream, visible_outputs=_visible)
def while_loop(
    xp,
    *data: Array,
    num_outputs: int = REQUIRED,
    num_out_data: int = REQUIRED,
    max_iterations: int = REQUIRED,
    cond_input_locs: Shape = REQUIRED,
    func_input_locs: Shape = REQUIRED,
    func_var_locs: Shape = REQUIRED,
    subgraphs: Any = (),
    training: Training = False,
    rng: Generator = None,
):
    """Run a graph while a condition is true; ``sym.contrib.while_loop`` creates this operator."""
    loop = While(subgraphs, num_outputs, num_out_data, max_iterations, cond_input_locs, func_input_locs, func_var_locs)
    stream, rng = _stream(xp, subgraphs, rng)
    rows, variables = loop.run(xp, data, training, rng, None)
    if rows:
        outputs = [_stacked(xp, rows, k, max_iterations) for k in range(num_out_data)]
    else:
        given = [data[i] for i in func_input_locs]
        shapes, dtypes = [a.shape for a in given], [a.dtype for a in given]
        outputs = _of_no_step(xp, loop.body, shapes, dtypes, num_out_data, max_iterations)
    return [*outputs, *_own(xp, variables, data), stream]


@while_loop.infer_shape
def _(*shapes, num_outputs, num_out_data, max_iterations, cond_input_locs, func_input_locs, func_var_locs, subgraphs):
    loop = While(subgraphs, num_outputs, num_out_data, max_iterations, cond_input_locs, func_input_locs, func_var_locs)
    inputs, results = loop.infer(shapes, "shapes")
    outputs = [None if shape is None else (max_iterations, *shape) for shape in results[:num_out_data]]
    return inputs, [*outputs, *results[num_out_data:], _STREAM]


@while_loop.infer_type
def _(*dtypes, num_outputs, num_out_data, max_iterations, cond_input_locs, func_input_locs, func_var_locs, subgraphs):
    loop = While(subgraphs, num_outputs, num_out_data, max_iterations, cond_input_locs, func_input_locs, func_var_locs)
    inputs, results = loop.infer(dtypes, "types")
    return inputs, [*results, numpy.dtype("int64")]


@operator("_backward_while_loop", outputs=lambda num_grads, **_: num_grads)
def backward_while_loop(
    xp,
    *data: Array,
    num_grads: int = REQUIRED,
    num_outputs: int = REQUIRED,
    num_out_data: int = REQUIRED,
    max_iterations: int = REQUIRED,
    cond_input_locs: Shape = REQUIRED,
    func_input_locs: Shape = REQUIRED,
    func_var_locs: Shape = REQUIRED,
    subgraphs: Any = (),
    train: bool = False,
    given: Shape = (),
):
    """Return the gradients of ``_while_loop``, given the outputs' gradients, the inputs, and the random stream."""
    loop = While(subgraphs, num_outputs, num_out_data, max_iterations, cond_input_locs, func_input_locs, func_var_locs)
    heads, inputs = _arrived(data[:num_outputs], given), data[num_outputs : num_outputs + num_grads]
    steps: list[Any] = []
    loop.run(xp, inputs, train, _again(xp, subgraphs, data[-1]), steps)
    grads: list[Any] = [None] * num_grads
    started = loop.started()
    for i, head in zip(loop.carried, heads[num_out_data:], strict=True):
        grads[i] = head
    for step in range(len(steps) - 1, -1, -1):
        rows = [None if head is None else head[step] for head in heads[:num_out_data]]
        arriving = [*rows, *(grads[i] for i in loop.carried)]
        found = loop.body.gradients(xp, steps.pop(), arriving, train, started if step else ())
        for i in loop.carried:
            grads[i] = None
        for i, gradient in zip(func_input_locs, found, strict=True):
            grads[i] = _sum(grads[i], gradient)
    return _one_or_all(_or_zeros(xp, grads, inputs))


while_loop.draws_when(_draws)
while_loop.starts_when(lambda subgraphs, **_: subgraphs[1].starts)
_gradient(while_loop, "_backward_while_loop")
_backward_rules(backward_while_loop)


# --- the branch --------------------------------------------------------------------------------------------


def _chosen(
    xp: Any, inputs: Sequence[Any], places: Sequence[Any], bodies: Any, training: bool, rng: Any
) -> tuple[Subgraph, Any, Any]:
    """Run the condition and the selected branch, and return the branch, the positions of its inputs, and its values."""
    test = bodies[0].run(xp, [inputs[i] for i in places[0]], training, rng)
    number = 1 if is_true(xp, test, bodies[0]) else 2
    values = bodies[number].run(xp, [inputs[i] for i in places[number]], training, rng)
    return bodies[number], places[number], values


@operator("_cond", outputs=_with_stream, visible_outputs=_visible)
def cond(
    xp,
    *data: Array,
    num_outputs: int = REQUIRED,
    cond_input_locs: Shape = REQUIRED,
    then_input_locs: Shape = REQUIRED,
    else_input_locs: Shape = REQUIRED,
    subgraphs: Any = (),
    training: Training = False,
    rng: Generator = None,
):
    """Run one of two graphs, depending on the result of a third graph; ``sym.contrib.cond`` creates this operator."""
    stream, rng = _stream(xp, subgraphs, rng)
    places = (cond_input_locs, then_input_locs, else_input_locs)
    branch, _, known = _chosen(xp, data, places, subgraphs, training, rng)
    return [*_own(xp, branch.outputs(known), data), stream]


def _infer_branches(given: Sequence[Any], places: Sequence[Any], bodies: Any, what: str) -> tuple[list[Any], list[Any]]:
    merge, known = merging(what), list(given)
    results: list[Any] = [None] * len(bodies[1].entries)
    for where, body in zip(places, bodies, strict=True):
        found, outputs = body.infer([known[i] for i in where], what)
        for i, value in zip(where, found, strict=True):
            known[i] = merge(known[i], value)
        if body is not bodies[0]:
            results = [merge(a, b) for a, b in zip(results, outputs, strict=True)]
    return known, results


@cond.infer_shape
def _(*shapes, num_outputs, cond_input_locs, then_input_locs, else_input_locs, subgraphs):
    places = (cond_input_locs, then_input_locs, else_input_locs)
    inputs, results = _infer_branches(shapes, places, subgraphs, "shapes")
    return inputs, [*results, _STREAM]


@cond.infer_type
def _(*dtypes, num_outputs, cond_input_locs, then_input_locs, else_input_locs, subgraphs):
    places = (cond_input_locs, then_input_locs, else_input_locs)
    inputs, results = _infer_branches(dtypes, places, subgraphs, "types")
    return inputs, [*results, numpy.dtype("int64")]


@operator("_backward_cond", outputs=lambda num_grads, **_: num_grads)
def backward_cond(
    xp,
    *data: Array,
    num_grads: int = REQUIRED,
    num_outputs: int = REQUIRED,
    cond_input_locs: Shape = REQUIRED,
    then_input_locs: Shape = REQUIRED,
    else_input_locs: Shape = REQUIRED,
    subgraphs: Any = (),
    train: bool = False,
    given: Shape = (),
):
    """Return the gradients of ``_cond``, given the outputs' gradients, the inputs, and the random stream."""
    heads, inputs = _arrived(data[:num_outputs], given), data[num_outputs : num_outputs + num_grads]
    places = (cond_input_locs, then_input_locs, else_input_locs)
    rng = _again(xp, subgraphs, data[-1])
    branch, where, known = _chosen(xp, inputs, places, subgraphs, train, rng)
    grads: list[Any] = [None] * num_grads
    for i, gradient in zip(where, branch.gradients(xp, known, heads, train), strict=True):
        grads[i] = _sum(grads[i], gradient)
    return _one_or_all(_or_zeros(xp, grads, inputs))


cond.draws_when(_draws)
cond.starts_when(lambda subgraphs, **_: subgraphs[1].starts or subgraphs[2].starts)
_gradient(cond, "_backward_cond")
_backward_rules(backward_cond)
