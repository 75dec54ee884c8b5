"""What happens at an eager call: run the kernel, wrap the result, leave a node on the tape."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ..context import Context, current_context
from ..device import backend, threads
from ..errors import MXNetError, ShapeError
from ..support import clock
from . import events, tape
from .kernel_space import kernel_space
from .operator import Operator
from .rules import format_shape, unify

__all__ = ["OperatorCall", "context_of", "device_error", "invoke", "prepare_write", "wrap"]

_state = tape.state
_numpy_space = kernel_space(numpy)


def wrap(cls: Any, raw: Any, ctx: Context) -> Any:
    """Return an array object of a class around a raw array, which is not copied."""
    array = cls.__new__(cls)
    array._data = raw
    array._ctx = ctx
    array._tape = None
    return array


def context_of(text: Any) -> Context:
    """Return the context for ``None``, a Context, or its text as in a graph file (``"cpu(0)"``)."""
    if isinstance(text, Context):
        return text
    if not text:
        return current_context()
    name, _, number = str(text).partition("(")
    try:
        return Context(name, int(number.rstrip(")") or 0) if number else 0)
    except (KeyError, ValueError):
        raise MXNetError(f"Invalid context string {text}") from None


def invoke(
    op: Operator, arrays: Sequence[Any], params: dict[str, Any], cls: Any, out: Any = None, ctx: Any = None
) -> Any:
    """Call an operator on arrays.

    Parameters
    ----------
    op : Operator
        What to call.
    arrays : sequence of NDArray or None
        The inputs in order; an optional input that is left out is None.
    params : dict
        Parsed attributes, without defaults.
    cls : type
        Class of the result, ``NDArray`` or ``np.ndarray``.
    out : NDArray or list of NDArray, optional
        Where to write the result.
    ctx : Context, optional
        Where to make the result of an operator without inputs.

    Returns
    -------
    NDArray or list of NDArray

    Raises
    ------
    MXNetError
        If the inputs do not fit the operator or each other.
    """
    if ctx is None:
        ctx = arrays[0]._ctx if arrays else context_of(params.get("ctx"))
    if ctx.device_typeid != 2:
        xp = numpy
    else:
        xp = backend.array_module(ctx)
        if error := device_error(op.name, arrays):
            raise error
    raws = [None if a is None else a._data for a in arrays]
    if events.call_begins:
        events.call_begins.tell(op, params, False)
    if op.lenient and (error := _shape_error(op, raws, params) or _type_error(op, raws, params)):
        raise _explain(op, arrays, raws, params, error)
    if not op.plain:
        return _invoke_general(op, arrays, raws, params, cls, out, ctx, xp)
    try:
        if op.threaded and xp is numpy and _is_large(raws) and threads.crowded():
            raw = threads.limited(op.kernel, xp, *raws, **params)
        else:
            raw = op.kernel(xp, *raws, **params)
    except Exception as error:
        raw = _try_again(op, xp, ctx, arrays, raws, params, {}, error)
    if type(raw) is not numpy.ndarray:
        raw = xp.asarray(raw)
    if raw.base is not None and _shares(xp, raw, raws):
        raw = raw.copy()  # only methods such as reshape() hand out views
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


def device_error(name: str, arrays: Sequence[Any]) -> MXNetError | None:
    """Return the error for arrays of which not all are where the first one is; CPU contexts count as one.

    One GPU may well be able to read what another holds, so that no error would come from CuPy.
    """
    first: Any = next((a._ctx for a in arrays if a is not None), None)
    for i, array in enumerate(arrays):
        if array is None or array._ctx == first:
            continue
        masks = [2 if c.device_typeid == 2 else 1 for c in (array._ctx, first)]
        if 2 in masks:
            error = MXNetError(
                f"Check failed: inputs[i]->ctx().dev_mask() == ctx.dev_mask() ({masks[0]} vs. {masks[1]}) : "
                f"Operator {name} require all inputs live on the same context. "
                f"But the first argument is on {first} while the {i + 1}-th argument is on {array._ctx}"
            )
            error.add_note(f"Copy one of them: x.as_in_context(mx.{first}).")
            return error
    return None


def _try_again(
    op: Operator,
    xp: Any,
    ctx: Context,
    arrays: Sequence[Any],
    raws: list[Any],
    params: dict[str, Any],
    extras: dict[str, Any],
    error: Exception,
) -> Any:
    """Run a kernel a second time if the memory of a GPU was short; else raise what it raised, explained."""
    if xp is numpy or not backend.is_out_of_memory(error):
        raise _explain(op, arrays, raws, params, error) from None
    error.__traceback__ = None  # it holds what the kernel had made so far
    try:
        return backend.with_memory(lambda: op.kernel(xp, *raws, **params, **extras), ctx, error)
    except Exception as second:
        raise _explain(op, arrays, raws, params, second) from None


def prepare_write(array: Any) -> None:
    """Get ready to write into an array in place: the tape must not need it, and its device becomes current."""
    if _state.recording:
        tape.check_in_place(array)
    clock.note_write()
    kind = array._ctx.device_typeid
    if kind == 2:
        backend.use(array._ctx)
    elif kind == 3:
        backend.synchronize()  # a GPU may still be reading from memory that is page-locked


def _is_large(raws: Sequence[Any]) -> bool:
    """Return whether linear algebra on these arrays may be divided among threads."""
    sizes = sorted([raw.size for raw in raws if raw is not None])[-2:]
    return math.prod(sizes) >= threads.SMALLEST or sizes[-1] >= threads.SMALLEST_ARRAY


def _shares(xp: Any, raw: Any, raws: list[Any]) -> bool:
    return any(given is not None and xp.may_share_memory(raw, given) for given in raws)


def _invoke_general(
    op: Operator,
    arrays: Sequence[Any],
    raws: list[Any],
    params: dict[str, Any],
    cls: Any,
    out: Any,
    ctx: Context,
    xp: Any,
) -> Any:
    """Run the operators that are more than a kernel: several outputs, random numbers, state."""
    extras: dict[str, Any] = {}
    if op.uses_training:
        extras["training"] = _state.training
    if op.uses_generator:
        extras["rng"] = backend.generator(ctx)
    try:
        run = functools.partial(threads.run, op.kernel) if op.threaded and xp is numpy else op.kernel
        value = run(xp, *raws, **params, **extras)
    except Exception as error:
        value = _try_again(op, xp, ctx, arrays, raws, params, extras, error)
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
    op: Operator,
    stage: str,
    F: Any,
    outputs: list[Any],
    arrays: Sequence[Any],
    params: dict[str, Any],
    training: bool,
) -> None:
    """Write the new values of an operator's states into the arrays that hold them."""
    raws = [None if a is None else a._data for a in arrays]
    values = op.updates(stage, F, outputs, raws, params, training)
    position = {declared.name: i for i, declared in enumerate(op.inputs)}
    clock.note_write()
    for name, value in values.items():
        index = position[name] if name in position else int(name)
        arrays[index]._data[...] = value
    clock.note_write()


def _write_out(out: Any, raw: Any) -> None:
    prepare_write(out)
    target = out._data
    for what, expected, got in (
        ("shape", raw.shape, target.shape),
        ("dtype", raw.dtype, target.dtype),
    ):
        if expected != got:
            texts = (expected.name, got.name) if what == "dtype" else (format_shape(expected), format_shape(got))
            raise MXNetError(
                "Check failed: assign(&dattr, vec.at(i)): Incompatible attr in node  "
                f"at 0-th output: expected {texts[0]}, got {texts[1]}"
            )
    target[...] = raw
    clock.note_write()


def _record(
    op: Operator, arrays: Sequence[Any], params: dict[str, Any], outputs: list[Any], results: list[Any]
) -> None:
    parents = [None if a is None or a._tape is None or a._tape[0].released else a._tape for a in arrays]
    if not any(ref is not None for ref in parents):
        return
    node = OperatorCall(op, parents, list(arrays), params, outputs, _state.training)
    for i, result in enumerate(results):
        result._tape = (node, i)


def _explain(
    op: Operator, arrays: Sequence[Any], raws: list[Any], params: dict[str, Any], error: Exception
) -> Exception:
    """Turn whatever a kernel raised into MXNet's error, and say what was called on what."""
    if not isinstance(error, MXNetError):
        found = device_error(op.name, arrays) or _shape_error(op, raws, params) or _type_error(op, raws, params)
        error = found or MXNetError(f"Operator {op.name}: {error}")
    if type(error) is ShapeError:  # users meet MXNet's own type
        shape_error, error = error, MXNetError(str(error))
        for note in getattr(shape_error, "__notes__", []):
            error.add_note(note)
    inputs = ", ".join(
        f"{name} {tuple(r.shape)} {r.dtype.name}"
        for name, r in zip(_names(op, len(raws)), raws, strict=True)
        if r is not None
    )
    settings = ", ".join(f"{k}={v!r}" for k, v in params.items())
    error.add_note(f"in operator {op.name}({settings}) on {inputs or 'no inputs'}")
    return error


def _names(op: Operator, count: int) -> list[str]:
    if op.variadic is None:
        return [i.name for i in op.inputs][:count]
    return [f"{op.variadic}[{i}]" for i in range(count)]


def _shape_error(op: Operator, raws: list[Any], params: dict[str, Any]) -> MXNetError | None:
    """Let the operator's own rule say which shapes do not fit, in MXNet's words."""
    return _refusal(op.shape_rule, unify, [None if r is None else r.shape for r in raws], op, params)


def _type_error(op: Operator, raws: list[Any], params: dict[str, Any]) -> MXNetError | None:
    """Let the operator's own rule say which types do not fit, in MXNet's words."""
    return _refusal(op.type_rule, None, [None if r is None else r.dtype for r in raws], op, params)


def _refusal(
    rule: Callable[..., Any] | None, merge: Callable[..., Any] | None, given: list[Any], op: Operator, params: Any
) -> MXNetError | None:
    if rule is None:
        return None
    try:
        wanted, _ = rule(*given, **op.complete(params))
        if merge is not None:
            for mine, theirs in zip(given, wanted, strict=True):
                merge(mine, theirs)
    except MXNetError as error:
        return error
    except Exception:  # a rule that cannot even look at these inputs has nothing to say
        return None
    return None


class OperatorCall(tape.TapeNode):
    """One operator call on the tape."""

    __slots__ = ("arrays", "op", "outputs", "params", "training")

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

    def raw_vjp(self, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Run the operator's gradient rule on raw arrays."""
        op = self.op
        F = kernel_space(backend.module_of(self.outputs[0]))
        raws = [None if a is None else a._data for a in self.arrays]
        run = functools.partial(threads.run, op.vjp) if op.threaded and F is _numpy_space else op.vjp
        if events.call_begins:
            events.call_begins.tell(op, self.params, True)
        try:
            grads = run(F, output_grads, self.outputs, raws, self.params, needs, self.training)
        except MemoryError as error:
            grads = self._vjp_again(F, output_grads, raws, needs, error)
        if op.backward_updates is not None:
            apply_updates(op, "backward", F, self.outputs, self.arrays, self.params, self.training)
        if events.gradient_ended:
            events.gradient_ended.tell(op, self.params)
        return grads

    def _vjp_again(self, F: Any, output_grads: list[Any], raws: list[Any], needs: Any, error: MemoryError) -> Any:
        """Run the rule a second time, for the memory of a GPU was short."""
        ctx = next((a._ctx for a in self.arrays if a is not None), None)
        if ctx is None or not backend.is_out_of_memory(error):
            raise error
        error.__traceback__ = None
        given = (F, output_grads, self.outputs, raws, self.params, needs, self.training)
        try:
            return backend.with_memory(lambda: self.op.vjp(*given), ctx, error)
        except MXNetError as second:
            second.add_note(f"in the gradient of operator {self.op.name}")
            raise

    def vjp(self, F: Any, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Run the same rule on recorded arrays."""
        ctx = next((a._ctx for a in self.arrays if a is not None), current_context())
        outputs = [F.box(raw, ctx, (self, i)) for i, raw in enumerate(self.outputs)]
        inputs = [None if a is None else F.as_legacy(a) for a in self.arrays]
        return self.op.vjp(F, output_grads, outputs, inputs, self.params, needs, self.training)

    def release(self) -> None:
        """Drop inputs and outputs."""
        super().release()
        self.arrays, self.outputs = [], []
