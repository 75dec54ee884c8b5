"""Settings of this package in single precision, as MXNet's kernels hold them: for programs in ``float64``.

MXNet gives a learning rate, a momentum, a slope or an ``eps`` to its kernels as a ``float``, whatever the type of the
arrays. In double precision that shows in the eighth digit of everything. With this, what is left is compared in double
precision.
"""

from __future__ import annotations

import contextlib
import math
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy

import d2lhybrid as mx
from d2lhybrid.internals.core.operator import Operator, all_operators

__all__ = ["single"]

#: Settings that MXNet has as a ``double``.
_DOUBLE = frozenset({"scalar", "value", "temperature", "start", "stop", "step", "low", "high"})
_DOUBLE_OF = {"BatchNorm": {"eps"}, "ftml_update": {"epsilon"}}
#: Optimizers that MXNet writes as kernels; the others are arithmetic with Python's numbers.
_KERNELS = frozenset({"SGD", "NAG", "Signum", "FTML", "LARS", "LBSGD", "LAMB", "Adam"})


class _Held(float):
    """A setting whose powers round in another way: of ``1 - beta2 ** t`` that leaves thirteen digits."""

    moved: float = 0.0

    def __pow__(self, exponent: Any, modulus: None = None) -> float:
        """Return a power, moved by some units in the last place."""
        return float(self) ** exponent * (1 + self.moved * 2.0**-52)


class _Holder:
    """Holds settings in single precision."""

    def __init__(self, seed: int, size: float) -> None:
        self._rng, self._size = random.Random(seed), size

    def rounded(self, value: float) -> float:
        """Return a number moved by some units in the last place of single precision."""
        return value * (1 + self._rng.uniform(-self._size, self._size) * 2.0**-23)

    def __call__(self, value: Any) -> Any:
        if not isinstance(value, float) or not math.isfinite(value):
            return value
        held = _Held(numpy.float32(value))
        held.moved = self._rng.uniform(-self._size, self._size)
        return held


def _completing(op: Operator, complete: Callable[..., dict[str, Any]], held: _Holder) -> Callable[..., dict[str, Any]]:
    """Return what gradients and updates of statistics are given, with settings in single precision."""
    double = _double(op)
    return lambda params: {n: v if n in double else held(v) for n, v in complete(params).items()}


def _double(op: Operator) -> frozenset[str]:
    return _DOUBLE.union(*(given for name, given in _DOUBLE_OF.items() if name in op.names))


def _holding(op: Operator, run: Callable[..., Any], held: _Holder) -> Callable[..., Any]:
    """Return a kernel with settings in single precision."""
    double = _double(op)

    def call(space: Any, *arrays: Any, **params: Any) -> Any:
        params = {n: v if n in double else held(v) for n, v in params.items()}
        value = run(space, *arrays, **params)
        if "LeakyReLU" in op.names and params.get("act_type", "leaky") in ("leaky", "prelu"):
            plain = {name: float(v) if isinstance(v, _Held) else v for name, v in params.items()}
            low = run(space, *(a.astype("float32") for a in arrays), **plain)  # it multiplies in single precision
            value = numpy.where(arrays[0] > 0, value, low)
        return value

    return call


def _correction(optimizer: Any, t: int) -> float:
    return math.sqrt(1.0 - optimizer.beta2**t) / (1.0 - optimizer.beta1**t)


def _applying(old: Callable[..., Any], held: _Holder) -> Callable[..., Any]:
    def apply(self: Any, weight: Any, grad: Any, state: Any, lr: float, wd: float, t: int) -> None:
        own = vars(self)
        kept = {name: value for name, value in own.items() if isinstance(value, float)}
        if not (kernel := type(self).__name__ in _KERNELS):
            kept = {name: value for name, value in kept.items() if name == "clip_gradient"}  # an operator's
        if isinstance(self, mx.optimizer.FTML):
            kept.pop("epsilon")
        corrected = isinstance(self, mx.optimizer.Adam)  # before the kernel has it
        lr = held(lr * _correction(self, t)) if corrected else held(lr) if kernel else lr
        if isinstance(self, mx.optimizer.LAMB | mx.optimizer.LARS):
            lr = held.rounded(lr)  # the norms of weights are in single precision on both sides
        own.update({name: held(value) for name, value in kept.items()})
        try:
            old(
                self, weight, grad, state, lr / _correction(self, t) if corrected else lr, held(wd) if kernel else wd, t
            )
        finally:
            vars(self).update(kept)

    return apply


@contextlib.contextmanager
def single(seed: int = 0, noise: float = 0.0) -> Iterator[None]:
    """Have all kernels and optimizers hold their settings in single precision.

    Parameters
    ----------
    seed : int
        Where random numbers begin.
    noise : float
        By how many units in the last place of double precision powers of settings are moved.
    """
    held = _Holder(seed, noise)
    operators = [(op, op.kernel, op.complete) for op in all_operators()]
    apply = mx.optimizer.Optimizer._apply
    try:
        for op, kernel, complete in operators:
            op.kernel = _holding(op, kernel, held)
            op.complete = _completing(op, complete, held)
        mx.optimizer.Optimizer._apply = _applying(apply, held)
        yield
    finally:
        mx.optimizer.Optimizer._apply = apply
        for op, kernel, _ in operators:
            op.kernel = kernel
            del op.complete
