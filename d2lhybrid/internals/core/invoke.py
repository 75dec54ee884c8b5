"""Eager calls of operators, which run the kernel, wrap the result, and add a node to the tape while recording."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ...context import Context, context_of, current_context
from ...error import MXNetError
from ..device import array_modules
from ..device.readiness import device_error, kernel_again
from ..support import clock, events
from . import parallel, tape
from .infer import format_shape
from .kernel_space import kernel_space
from .operator import Operator
from .refusal import explain_refusal, shape_error, type_error
from .sparse_rows import Rows, rows_of_call

__all__ = ["OperatorCall", "invoke", "is_watched", "prepare_write", "wrap"]

_state = tape.state
_numpy_space = kernel_space(numpy)


def wrap(cls: Any, raw: Any, ctx: Context) -> Any:
    """Return an array object that contains a raw array without a copy.

    Parameters
    ----------
    cls : type
        The class of the result, such as ``NDArray``.
    raw : numpy.ndarray or cupy.ndarray
        The raw array.
    ctx : Context
        The device of the raw array.

    Returns
    -------
    NDArray
        The array object, which is not on the tape.
    """
    array = cls.__new__(cls)
    array._data = raw
    array._ctx = ctx
    array._tape = None
    return array


def is_watched() -> bool:
    """Return whether the tape or a subscriber of events observes calls.

    If neither observes calls, a caller may run a kernel directly. For small arrays, such as one image, the overhead of
    an eager call exceeds the cost of the computation.
    """
    return bool(_state.recording or events.call_begins or events.operator_ran)


def _is_limited(raws: Sequence[Any]) -> bool:
    """Return whether to limit the number of threads of a call on these arrays."""
    return parallel.threads.worth_dividing(raws) and parallel.threads.crowded(raws)


def invoke(
    op: Operator, arrays: Sequence[Any], params: dict[str, Any], cls: Any, out: Any = None, ctx: Any = None
) -> Any:
    """Call an operator on arrays, and record the call on the tape if necessary.

    Parameters
    ----------
    op : Operator
        The operator to call.
    arrays : sequence of NDArray or None
        The inputs in order, with None for an omitted optional input.
    params : dict
        Parsed attributes, without defaults.
    cls : type
        Class of the result, ``NDArray`` or ``np.ndarray``.
    out : NDArray or list of NDArray, optional
        The destination of the result.
    ctx : Context, optional
        The device of the result of an operator without inputs.

    Returns
    -------
    NDArray or list of NDArray
        The result, which is ``out`` if the caller passed ``out``.

    Raises
    ------
    MXNetError
        If the inputs do not fit the operator or each other, or if `out` does not fit the result.
    """
    if ctx is None:
        ctx = arrays[0]._ctx if arrays else context_of(params.get("ctx"))
    if ctx.device_typeid != 2:
        xp = numpy
    else:
        xp = array_modules.array_module(ctx)
        if error := device_error(op.name, arrays):
            raise error
    if len(arrays) == 1 and arrays[0] is not None:
        raws = [arrays[0]._data]
    else:
        raws = [None if a is None else a._data for a in arrays]
    kernel = op.kernel
    if events.call_begins:
        kernel = events.call_begins.first(kernel, op, params, False)
    if op.lenient and (error := shape_error(op, raws, params) or type_error(op, raws, params)):
        raise explain_refusal(op, arrays, raws, params, error)
    if not op.plain:
        return _invoke_general(op, kernel, arrays, raws, params, cls, out, ctx, xp)
    try:
        if op.threaded and xp is numpy and _is_limited(raws):
            raw = parallel.threads.limited(kernel, xp, *raws, **params)
        else:
            raw = kernel(xp, *raws, **params)
    except Exception as error:
        run = functools.partial(op.kernel, xp, *raws, **params)  # a closure would slow down every local variable
        raw = _again(run, error, ctx, op, arrays, raws, params)
    if type(raw) is not numpy.ndarray:
        raw = xp.asarray(raw)
    if raw.base is not None:
        if _shares(xp, raw, raws):
            raw = raw.copy()  # results of operators own their memory; only methods such as reshape() return views
    else:
        for given in raws:
            if raw is given:
                raw = raw.copy()
    if out is not None:
        _write_out(out, raw)
        result = out
    else:
        result = cls.__new__(cls)
        result._data = raw
        result._ctx = ctx
        result._tape = None
    if _state.recording:
        _record(op, arrays, params, [raw], [result])
    if events.operator_ran:
        events.operator_ran.tell(op, params, [result])
    return result


def _again(
    run: Callable[[], Any],
    error: Exception,
    ctx: Context,
    op: Operator,
    arrays: Sequence[Any],
    raws: list[Any],
    params: Any,
) -> Any:
    """Run a kernel again if GPU memory was exhausted; raise any other error of the kernel with an explanation."""
    try:
        return kernel_again("", run, ctx, error)
    except Exception as last:
        raise explain_refusal(op, arrays, raws, params, last) from None


def prepare_write(array: Any) -> None:
    """Prepare an in-place write: check that the tape doesn't need the old values, and report the write.

    This function also makes the array's device current.

    After the write, a sparse array stores the elements that are not zero, unless the caller sets the stored elements.

    Parameters
    ----------
    array : NDArray
        The array to write to.

    Raises
    ------
    MXNetError
        If the tape needs the old values.
    """
    if _state.recording:
        tape.check_in_place(array)
    if array.stype != "default":
        array._places = None
    clock.note_write([array._data])
    kind = array._ctx.device_typeid
    if kind == 2:
        array_modules.use(array._ctx)
    elif kind == 3:
        array_modules.synchronize()  # a GPU may still be reading from page-locked memory


def _shares(xp: Any, raw: Any, raws: list[Any]) -> bool:
    base = raw.base
    for given in raws:
        if given is None:
            continue
        if raw is given or (base is not None and (base is given or base is given.base)):
            return True
        if xp.may_share_memory(raw, given):
            return True
    return False


def _invoke_general(
    op: Operator,
    kernel: Callable[..., Any],
    arrays: Sequence[Any],
    raws: list[Any],
    params: dict[str, Any],
    cls: Any,
    out: Any,
    ctx: Context,
    xp: Any,
) -> Any:
    """Run an operator that has several outputs, draws random numbers, or updates states."""
    extras: dict[str, Any] = {}
    if op.uses_training:
        extras["training"] = _state.training
    if op.uses_generator:
        extras["rng"] = array_modules.generator(ctx)
    try:
        is_limited = op.threaded and xp is numpy and _is_limited(raws)
        run = functools.partial(parallel.threads.limited, kernel) if is_limited else kernel
        value = run(xp, *raws, **params, **extras)
    except Exception as error:
        value = _again(lambda: op.kernel(xp, *raws, **params, **extras), error, ctx, op, arrays, raws, params)
    outputs = list(value) if isinstance(value, tuple | list) else [value]
    outputs = [o if isinstance(o, numpy.ndarray) else xp.asarray(o) for o in outputs]
    for i, raw in enumerate(outputs):
        if _shares(xp, raw, raws):
            outputs[i] = raw.copy()
    visible = op.num_visible_outputs(params, len(arrays))
    if out is None:
        results = [wrap(cls, raw, ctx) for raw in outputs[:visible]]
    else:
        results = list(out) if isinstance(out, list | tuple) else [out]
        for target, raw in zip(results, outputs, strict=False):
            _write_out(target, raw)
    if op.forward_updates is not None:
        apply_updates(op, "forward", kernel_space(xp), outputs, arrays, params, _state.training)
    if _state.recording:
        _record(op, arrays, params, outputs, results)
    if events.operator_ran:
        events.operator_ran.tell(op, params, results)
    if out is not None:
        return out
    return results[0] if visible == 1 else results


def apply_updates(
    op: Operator, stage: str, F: Any, outputs: list[Any], arrays: Sequence[Any], params: dict[str, Any], training: bool
) -> None:
    """Compute the new values of an operator's states, and write them into the arrays of the states.

    Parameters
    ----------
    op : Operator
        The operator that has run.
    stage : {"forward", "backward"}
        The pass after which the states are updated.
    F : object
        The function space for raw arrays.
    outputs : list of array
        The raw outputs.
    arrays : sequence of NDArray or None
        The inputs, including the states.
    params : dict
        The operator's attributes.
    training : bool
        Whether the operator ran in training mode.
    """
    raws = [None if a is None else a._data for a in arrays]
    values = op.updates(stage, F, outputs, raws, params, training)
    position = {declared.name: i for i, declared in enumerate(op.inputs)}
    clock.note_write(written := [raws[position[name] if name in position else int(name)] for name in values])
    for raw, value in zip(written, values.values(), strict=True):
        raw[...] = value
    clock.note_write(written)


def _write_out(out: Any, raw: Any) -> None:
    prepare_write(out)
    target = out._data
    for what, expected, got in (("shape", raw.shape, target.shape), ("dtype", raw.dtype, target.dtype)):
        if expected != got:
            texts = (expected.name, got.name) if what == "dtype" else (format_shape(expected), format_shape(got))
            raise MXNetError(
                "Check failed: assign(&dattr, vec.at(i)): Incompatible attr in node  "
                f"at 0-th output: expected {texts[0]}, got {texts[1]}"
            )
    target[...] = raw
    clock.note_write([target])


def _record(
    op: Operator, arrays: Sequence[Any], params: dict[str, Any], outputs: list[Any], results: list[Any]
) -> None:
    parents = [None if a is None or a._tape is None or a._tape[0].released else a._tape for a in arrays]
    if not any(ref is not None for ref in parents):
        return
    node = OperatorCall(op, parents, list(arrays), params, outputs, _state.training)
    for i, result in enumerate(results):
        result._tape = (node, i)


class OperatorCall(tape.TapeNode):
    """The call of an operator, as a node of the tape.

    Attributes
    ----------
    again : tuple or None
        The call of a net and a token, if this call is part of an operator-by-operator run of the net's call. The token
        identifies the run.
    """

    __slots__ = ("again", "arrays", "op", "outputs", "params", "training")
    starts = property(lambda self: self.op.starts(self.params))
    goes_back = property(lambda self: self.op.gradient_rule is not None)

    def __init__(
        self,
        op: Operator,
        parents: Sequence[Any],
        arrays: list[Any],
        params: dict[str, Any],
        outputs: list[Any],
        training: bool,
    ) -> None:
        super().__init__(parents, len(outputs))
        self.op, self.arrays, self.params = op, arrays, params
        self.outputs, self.training = outputs, training
        self.again: Any = None

    def raw_vjp(self, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Return the inputs' gradients from the operator's rule for raw arrays, and update the operator's states."""
        op = self.op
        F = kernel_space(array_modules.module_of(self.outputs[0]))
        raws = [None if a is None else a._data for a in self.arrays]
        is_limited = op.threaded and F is _numpy_space and _is_limited(raws)
        run = functools.partial(parallel.threads.limited, op.vjp) if is_limited else op.vjp
        if events.call_begins:
            events.call_begins.tell(op, self.params, True)
        try:
            grads = run(F, output_grads, self.outputs, raws, self.params, needs, self.training)
        except MemoryError as error:
            ctx = next((a._ctx for a in self.arrays if a is not None), None)
            given = (F, output_grads, self.outputs, raws, self.params, needs, self.training)
            grads = kernel_again(f"the gradient of operator {op.name}", lambda: op.vjp(*given), ctx, error)
        if op.backward_updates is not None and self._moves():
            apply_updates(op, "backward", F, self.outputs, self.arrays, self.params, self.training)
        if events.gradient_ended:
            events.gradient_ended.tell(op, self.params)
        return grads

    def _moves(self) -> bool:
        """Return whether this run updates the states. Only one of several runs of a net's call updates them."""
        if self.again is None:
            return True
        call, run = self.again
        states = [a._data for i, a in zip(self.op.inputs, self.arrays, strict=False) if i.name in self.op.aux]
        for raw in states:
            if (call, id(raw)) not in _state.moved:
                _state.moved[call, id(raw)] = run, raw.copy()
        return all(_state.moved[call, id(raw)][0] is run for raw in states)

    def vjp(self, F: Any, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Return the inputs' gradients from the operator's rule for recorded arrays."""
        ctx = next((a._ctx for a in self.arrays if a is not None), current_context())
        outputs = [F.box(raw, ctx, (self, i)) for i, raw in enumerate(self.outputs)]
        inputs = [None if a is None else F.as_legacy(a) for a in self.arrays]
        return self.op.vjp(F, output_grads, outputs, inputs, self.params, needs, self.training)

    def rows_of(self, i: int, given: Sequence[Rows]) -> Rows:
        """Return the stored rows of an input's gradient according to the operator's facts."""
        return rows_of_call(self.op, self.params, self.arrays, i, given[0])

    def release(self) -> None:
        """Drop the references to the call's inputs and outputs."""
        super().release()
        self.arrays, self.outputs = [], []
