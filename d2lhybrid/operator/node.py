"""A custom operator as a node of a graph, with a kernel that calls back into Python.

Each use of a custom operator is a separate :class:`~d2lhybrid.internals.core.operator.Operator` with its own inputs,
outputs, and states, and with a :class:`CustomOp` that may store values in ``forward`` for ``backward``. No pass merges
or folds such a node, because it may have side effects.
"""

from __future__ import annotations

import inspect
import itertools
import numbers
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from .. import autograd
from ..context import cpu, gpu
from ..error import MXNetError
from ..internals.core.graph_space import GraphSpace
from ..internals.core.infer import unify
from ..internals.core.invoke import invoke, wrap
from ..internals.core.operator import NOT_DIFFERENTIABLE, Operator
from ..internals.device import array_modules
from ..internals.support import clock, events
from ..internals.support.dtypes import as_dtype, dtype_code
from ..ndarray.ndarray import NDArray
from .custom import prop_of

__all__ = ["CallbackOperator", "custom_operator"]

FAMILY = "other"

_numbers = itertools.count()


def _signature(arrays: Sequence[str], attributes: Sequence[str], variadic: bool = False) -> inspect.Signature:
    """Return a signature with an operator's inputs and attributes."""
    make, by_name = inspect.Parameter, inspect.Parameter.KEYWORD_ONLY
    parameters = [make("xp", make.POSITIONAL_ONLY)]
    kind = make.VAR_POSITIONAL if variadic else make.POSITIONAL_OR_KEYWORD
    parameters += [make(name, kind, annotation="Array") for name in arrays]
    parameters += [make(name, by_name, annotation="str", default="") for name in attributes]
    parameters.append(make("instance", by_name, annotation="int", default=0))
    parameters.append(make("training", by_name, annotation="Training", default=False))
    return inspect.Signature(parameters)


class CallbackOperator(Operator):
    """An operator whose kernel is an arbitrary Python method.

    Parameters
    ----------
    name, label : str
        The name in files, and the name in programs and events.
    run : callable
        Function of an array module, the input arrays, and the training mode, which computes the outputs.
    signature, outputs, aux
        Signature with inputs and attributes, number of results, and names of the inputs that are states.
    """

    calls_python: bool

    def __init__(
        self, name: str, label: str, run: Callable[..., Any], signature: inspect.Signature, outputs: int, aux: Any
    ) -> None:
        def kernel(xp: Any, *arrays: Any, training: bool = False, **attributes: Any) -> Any:
            backward = name.startswith("_backward")
            if events.call_begins:
                events.call_begins.tell(self, {"callback": label}, backward)
            results = run(xp, arrays, training)
            if events.gradient_ended:
                events.gradient_ended.tell(self, {"callback": label})
            return results[0] if len(results) == 1 else results

        kernel.__signature__ = signature  # type: ignore[attr-defined]
        super().__init__(kernel, (name,), outputs, None, tuple(aux), True, False, False, True)
        self.calls_python, self.asks_device = True, "runs in Python"
        self.pure = False  # prevents passes from merging or folding the node

    #: Whether a file can contain the operator and its settings.
    in_files = True  # type: ignore[assignment]
    #: Whether the shapes of the outputs are known before the operator has run.
    knows_shapes = True


class _CustomNode(CallbackOperator):
    """A use of a registered operator."""

    def __init__(self, op_type: str, settings: dict[str, str]) -> None:
        self.op_type, self._number = op_type, next(_numbers)
        self._prop, self._as_numpy = prop_of(op_type, settings)
        self._arguments = self._names("list_arguments")
        self._states = self._names("list_auxiliary_states")
        self._results = self._names("list_outputs")
        self._made: dict[Any, Any] = {}
        self._backward: dict[tuple[bool, ...], CallbackOperator] = {}
        names = [*self._arguments, *self._states]
        if set(names) & {"op_type", *settings} or len(set(names)) != len(names):
            twice = next(name for i, name in enumerate(names) if name in {"op_type", *settings, *names[:i]})
            if twice == "op_type":
                raise MXNetError(
                    f"an input or auxiliary state of the custom operator {op_type} must not have the name 'op_type', "
                    "which is an argument of Custom"
                )
            raise MXNetError(
                f"inputs, auxiliary states, and settings of the custom operator {op_type} must have different names, "
                f"but {twice!r} is the name of two of them"
            )
        signature = _signature(names, ["op_type", *settings])
        super().__init__("Custom", op_type, self._forward, signature, len(self._results), self._states)
        self.infer_shape(self._infer_shape)
        self.infer_type(self._infer_type)
        self.output_names(lambda **attributes: self._results)
        self.gradient_rule = self._refuse  # marks the operator as differentiable; see vjp
        self.is_loss = not self._uses_heads()

    def _uses_heads(self) -> bool:
        """Return whether the backward pass reads the gradients of the results. That of a loss doesn't."""
        numbers = iter(range(2 * len(self._results) + len(self._arguments)))
        heads = [next(numbers) for _ in self._results]
        inputs = [next(numbers) for _ in self._arguments]
        used = self._ask("declare_backward_dependency", heads, inputs, list(numbers))
        return not set(heads).isdisjoint(used)

    def _ask(self, question: str, *given: Any) -> Any:
        try:
            return getattr(self._prop, question)(*given)
        except MXNetError:
            raise
        except Exception as error:
            raise MXNetError(f"Error in {self.op_type}.{question}: {type(error).__name__}: {error}") from error

    def _names(self, question: str) -> list[str]:
        answer = self._ask(question)
        if not isinstance(answer, list | tuple) or not all(isinstance(name, str) for name in answer):
            raise MXNetError(
                f"Error in {self.op_type}.{question}: {question} must return a list of names, not {answer!r}"
            )
        return list(answer)

    # --- shapes and types --------------------------------------------------------------------------

    def _infer_shape(self, *given: Any, **attributes: Any) -> tuple[list[Any], list[Any]]:
        count = len(self._arguments)
        known_shapes = [[] if s is None else [0 if n is None else n for n in s] for s in given[:count]]
        complete = all(s is not None and None not in s for s in given[:count])
        if count and not complete and not any(s is not None for s in given[:count]):
            return list(given), [None] * len(self._results)
        try:
            shapes = self._three("infer_shape", known_shapes)
        except MXNetError:
            if complete:
                raise
            return list(given), [None] * len(self._results)  # the known shapes are not sufficient
        # Unknown sizes were passed as 0, and the method may return them.
        parts = [[_partial(s, least=0 if complete else 1) for s in part] for part in shapes]
        inputs = [*parts[0], *parts[2]]
        return [old if new is None else unify(old, new) for old, new in zip(given, inputs, strict=True)], parts[1]

    def _infer_type(self, *given: Any, **attributes: Any) -> tuple[list[Any], list[Any]]:
        count = len(self._arguments)
        known_types = [None if d is None else numpy.dtype(d).type for d in given[:count]]
        if count and all(d is None for d in known_types):
            return list(given), [None] * len(self._results)
        types = self._three("infer_type", known_types)
        parts = [[None if d is None else as_dtype(d) for d in part] for part in types]
        return [*parts[0], *parts[2]], parts[1]

    def _three(self, question: str, given: list[Any]) -> list[list[Any]]:
        """Return the result of an inference method for inputs, outputs, and states."""
        answer = self._ask(question, given)
        parts = list(answer) if isinstance(answer, tuple | list) else []
        if len(parts) == 2:
            first = parts[1][0] if question == "infer_type" and parts[1] else None
            parts.append([first] * len(self._states))
        if len(parts) != 3:
            raise MXNetError(f"Error in {self.op_type}.{question}: {question} must return 2 or 3 lists, not {answer!r}")
        kinds = (("input", self._arguments), ("output", self._results), ("aux state", self._states))
        for part, (kind, names) in zip(parts, kinds, strict=True):
            if len(part) != len(names):
                raise MXNetError(
                    f"Error in {self.op_type}.{question}: expecting {len(names)} entries in returned {kind} "
                    f"{question.removeprefix('infer_')}s, got {len(part)}."
                )
        return [list(part) for part in parts]

    # --- running -----------------------------------------------------------------------------------

    def _boxes(self, xp: Any, raws: Sequence[Any], writable: bool) -> list[Any]:
        """Return NDArrays that wrap raw arrays."""
        cls, ctx = NDArray, _context(xp)
        if self._as_numpy:
            from ..numpy import ndarray as cls
        if not writable and xp is numpy:
            raws = [raw.view() for raw in raws]
            for raw in raws:
                raw.flags.writeable = False
        return [wrap(cls, raw, ctx) for raw in raws]

    def _instance(self, xp: Any, arrays: Sequence[Any]) -> Any:
        """Return the user's operator for the shapes and types of the inputs. It is created on first use."""
        shapes, types = [list(a.shape) for a in arrays], [dtype_code(a.dtype) for a in arrays]
        key = (id(xp), repr(shapes), repr(types))
        if key not in self._made:
            operator = self._ask("create_operator", _context(xp), shapes, types)
            if not callable(getattr(operator, "forward", None)):
                raise MXNetError(f"Error in {self.op_type}.create_operator: expecting a CustomOp, but got {operator!r}")
            self._made[key] = operator
        return self._made[key]

    def _forward(self, xp: Any, arrays: Sequence[Any], training: bool) -> tuple[Any, ...]:
        count = len(self._arguments)
        if len(arrays) != count + len(self._states):
            raise MXNetError(
                f"Check failed: num_inputs == infered_num_inputs ({len(arrays)} vs. {count + len(self._states)}) : "
                f"Operator Custom expects {count + len(self._states)} inputs, but got {len(arrays)} instead."
            )
        _, shapes, _ = self._three("infer_shape", [list(a.shape) for a in arrays[:count]])
        _, types, _ = self._three("infer_type", [a.dtype.type for a in arrays[:count]])
        operator = self._instance(xp, arrays[:count])
        for shape in shapes:
            if not isinstance(shape, list | tuple) or not all(
                isinstance(n, numbers.Integral) and int(n) >= 0 for n in shape
            ):
                raise MXNetError(
                    f"Error in {self.op_type}.infer_shape: the shape of an output must consist of non-negative "
                    f"integers, but it is {shape!r}"
                )
        outputs = [xp.zeros(tuple(s), as_dtype(d)) for s, d in zip(shapes, types, strict=True)]
        boxes = self._boxes(xp, outputs, True)
        states = self._boxes(xp, arrays[count:], True)
        with autograd.pause(train_mode=training):
            _call(
                "forward", operator.forward, is_train=training, req=["write"] * len(outputs),
                in_data=self._boxes(xp, arrays[:count], False), out_data=boxes, aux=states,
            )  # fmt: skip
        clock.note_write(box._data for box in states)  # forward may have changed the states
        return tuple(box._data for box in boxes)

    # --- gradients ---------------------------------------------------------------------------------

    @staticmethod
    def _refuse(*arrays: Any, **attributes: Any) -> Any:
        raise MXNetError(NOT_DIFFERENTIABLE.format("_backward_Custom"))

    def vjp(
        self,
        F: Any,
        output_grads: list[Any],
        outputs: list[Any],
        inputs: Sequence[Any],
        params: dict[str, Any],
        needs: tuple[bool, ...],
        training: bool,
    ) -> list[Any]:
        """Call ``backward``, or create the node that calls it."""
        wanted = needs[: len(self._arguments)]
        heads = [F.zeros_like(y) if g is None else g for g, y in zip(output_grads, outputs, strict=True)]
        all_arrays = [*heads, *inputs, *outputs]
        back = self._backward_operator(wanted)
        if isinstance(F, GraphSpace):
            gradients = F.make(back, all_arrays, instance=self._number)
        elif isinstance(outputs[0], NDArray):
            gradients = invoke(back, all_arrays, {"instance": self._number}, NDArray)
        else:
            gradients = back.kernel(array_modules.module_of(outputs[0]), *all_arrays, training=training)
        gradients = list(gradients) if isinstance(gradients, list | tuple) else [gradients]
        grads = [g if w else None for g, w in zip(gradients, wanted, strict=True)]
        return [*grads, *[None] * len(self._states)]

    def _backward_operator(self, wanted: tuple[bool, ...]) -> CallbackOperator:
        if wanted not in self._backward:
            heads, count = len(self._results), len(self._arguments)

            def run(xp: Any, arrays: Sequence[Any], training: bool) -> tuple[Any, ...]:
                return self._go_back(xp, arrays, wanted)

            operator = CallbackOperator(
                "_backward_Custom", self.op_type, run, _signature(["data"], [], variadic=True), count, ()
            )
            operator.infer_shape(lambda *s, **attributes: (list(s), list(s[heads : heads + count])))
            operator.infer_type(lambda *d, **attributes: (list(d), list(d[heads : heads + count])))
            operator.gradient_rule, operator.refuses_gradient = self._refuse, True
            self._backward[wanted] = operator
        return self._backward[wanted]

    def _go_back(self, xp: Any, arrays: Sequence[Any], wanted: tuple[bool, ...]) -> tuple[Any, ...]:
        heads, count = len(self._results), len(self._arguments)
        grads, rest = arrays[:heads], arrays[heads:]
        inputs, states, outputs = rest[:count], rest[count : len(rest) - heads], rest[len(rest) - heads :]
        gradients = self._boxes(xp, [xp.zeros(a.shape, a.dtype) for a in inputs], True)
        with autograd.pause():
            _call(
                "backward", self._instance(xp, inputs).backward, req=["write" if w else "null" for w in wanted],
                out_grad=self._boxes(xp, grads, False), in_data=self._boxes(xp, inputs, False),
                out_data=self._boxes(xp, outputs, False), in_grad=gradients, aux=self._boxes(xp, states, True),
            )  # fmt: skip
        clock.note_write()
        return tuple(box._data for box in gradients)


def custom_operator(settings: dict[str, Any]) -> tuple[_CustomNode, dict[str, Any]]:
    """Return a new operator for one use of a registered custom operator, and the operator's attributes.

    Parameters
    ----------
    settings : dict
        ``op_type``, and the arguments of the user's class. All values are converted to strings, as in a file.

    Returns
    -------
    tuple of (CallbackOperator, dict)
        The operator and its attributes.

    Raises
    ------
    MXNetError
        If no operator is registered under the name ``op_type``.
    """
    texts = {key: str(value) for key, value in settings.items() if value is not None}
    op_type = texts.pop("op_type", "")
    operator = _CustomNode(op_type, texts)
    return operator, {"op_type": op_type, **texts, "instance": operator._number}


def _call(what: str, method: Callable[..., Any], **given: Any) -> None:
    try:
        method(**given)
    except Exception as error:
        failure = MXNetError(f"Error in CustomOp.{what}: {type(error).__name__}: {error}")
        if isinstance(error, ValueError) and "read-only" in str(error):
            failure.add_note("Write only to out_data and aux in forward, and to in_grad and aux in backward.")
        raise failure from error


def _partial(shape: Any, least: int = 0) -> Any:
    """Return a shape in which None replaces sizes below ``least``, which are unknown."""
    sizes = tuple(shape)
    return None if not sizes else tuple(None if n is None or n < least else int(n) for n in sizes)


def _context(xp: Any) -> Any:
    """Return the context of an operator. On a GPU, it is the current device, regardless of ``current_context``."""
    return cpu() if xp is numpy else gpu(int(xp.cuda.Device().id))
