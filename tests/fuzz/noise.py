"""How much of a result is rounding: eager runs in which every operator rounds in another way.

Two correct programs for one net differ by rounding, and by nothing else. How far rounding carries depends on the net: a
difference of nearly equal numbers has few digits left, and a step function may jump. So the net is run a few times
with kernels whose results are moved by about one unit in the last place, at random (sums and products also have their
arguments moved, as they round inside, and what is left where products cancel), and gradients are added up as if in
another order. What these runs agree on is certain; where they spread, a result may spread likewise. Numbers with short
mantissas (0, 1.5, an index) are exact, and are left alone.
"""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy

from d2lhybrid.internals.core import reverse, tape
from d2lhybrid.internals.core.kernel_space import kernel_space
from d2lhybrid.internals.core.operator import Operator, all_operators
from d2lhybrid.internals.support import events

__all__ = ["moved", "noise"]

#: Operators that only move elements, so that nothing is rounded.
_MOVING = frozenset(
    {
        "Reshape", "Flatten", "expand_dims", "squeeze", "transpose", "SwapAxis", "slice", "slice_axis", "slice_like",
        "SliceChannel", "Concat", "stack", "broadcast_to", "broadcast_axis", "broadcast_like", "_copy", "BlockGrad",
        "reverse", "tile", "repeat", "take", "pick", "gather_nd", "where", "Cast", "_np_transpose", "_np_reshape",
        "_npx_reshape", "_npi_swapaxes", "_npi_flip", "_npi_concatenate", "_npi_stack", "_npi_split", "_np_squeeze",
        "_npi_broadcast_to", "_npi_slice", "_npi_where", "_npi_cast", "zeros_like", "ones_like", "relu", "_maximum",
        "_minimum", "max", "min", "_np_max", "_np_min", "topk", "sort", "Embedding", "Pad", "_np_copy", "abs",
        "negative", "sign", "round", "rint", "floor", "ceil", "trunc", "fix", "SequenceMask", "SequenceReverse",
        "SequenceLast", "depth_to_space", "space_to_depth", "clip", "reshape_like", "_grad_scale", "_constant",
        "one_hot", "_one_hot_like", "argmax", "argmin", "argsort", "diag", "_np_diag", "make_loss",
        "_backward_slice", "_backward_SliceChannel", "_zeros", "_ones", "_full", "_npi_zeros", "_npi_ones",
    }
)  # fmt: skip


#: Operators that add products, each of which is rounded or not.
_CONTRACTING = frozenset(
    {"dot", "batch_dot", "FullyConnected", "Convolution", "Deconvolution", "_npi_dot", "_npi_matmul", "_npi_tensordot",
     "_npi_tensordot_int_axes", "_npi_einsum", "_linalg_gemm", "_linalg_gemm2"}
)  # fmt: skip
#: Functions that come close to a number and are rounded to it: another implementation may stop just before.
_SATURATING = frozenset({"sigmoid", "tanh", "erf", "softsign", "Activation", "_npi_tanh", "_npx_sigmoid", "softmax"})
#: From this size of noise on, another implementation is imitated, and not NumPy's in another order.
_OTHER = 3.0


def moved(array: Any, rng: numpy.random.Generator, size: float, exactly: bool = True) -> Any:
    """Return floating-point numbers moved by up to ``size`` units in the last place, but exact ones as they are."""
    if not isinstance(array, numpy.ndarray | numpy.floating) or array.dtype.kind != "f" or not array.size:
        return array
    eps = numpy.finfo(array.dtype).eps
    with numpy.errstate(all="ignore"):
        exact = _is_short(array) & (exactly | (numpy.abs(array) != 1))
        factor = 1 + rng.uniform(-size, size, array.shape) * eps
        return numpy.where(exact, array, (array * factor).astype(array.dtype)).astype(array.dtype)


def _is_short(array: Any) -> Any:
    """Return which numbers have short mantissas, so that nothing was rounded to get them."""
    short = numpy.ldexp(1.0, 5 if array.dtype == numpy.float16 else 10)
    mantissa = numpy.frexp(array)[0].astype("float64") * short
    return mantissa == numpy.rint(mantissa)


class _Sums:
    """Adds up gradients, which may as well arrive in another order: what cancels leaves crumbs of what was largest."""

    def __init__(self, rng: numpy.random.Generator, size: float) -> None:
        self.rng, self.size = rng, size
        #: For each sum, by its identity, itself (so that it stays the only one) and the largest that went into it.
        self.largest: dict[int, tuple[Any, Any]] = {}

    def add(self, a: Any, b: Any, add: Callable[[Any, Any], Any]) -> Any:
        total = add(a, b)
        if not isinstance(total, numpy.ndarray) or total.dtype.kind != "f" or not total.size:
            return total
        with numpy.errstate(all="ignore"):
            largest = numpy.fmax(*(self.largest.get(id(x), (x, numpy.abs(x)))[1] for x in (a, b)))
            largest = numpy.where(numpy.isfinite(largest), largest, 0)
            crumbs = self.rng.uniform(-self.size, self.size, total.shape) * numpy.finfo(total.dtype).eps * largest
            total = numpy.where(_is_short(a) & _is_short(b), total, total + crumbs).astype(total.dtype)
        self.largest[id(total)] = total, largest
        return total


def _noisy(op: Operator, kernel: Callable[..., Any], rng: numpy.random.Generator, size: float) -> Callable[..., Any]:
    exactly = size < _OTHER or not _SATURATING.intersection(op.names)

    def run(xp: Any, *arrays: Any, **params: Any) -> Any:
        if not op.elementwise:
            arrays = tuple(moved(a, rng, size) for a in arrays)
        value = kernel(xp, *arrays, **params)
        if _CONTRACTING.intersection(op.names) and value.dtype.kind == "f":
            value = _without_certain_zeros(value, arrays, lambda given: kernel(xp, *given, **params), rng, size)
        if isinstance(value, tuple | list):
            return type(value)(moved(v, rng, size, exactly) for v in value)
        return moved(value, rng, size, exactly)

    return run


def _without_certain_zeros(
    value: Any, arrays: Any, kernel: Callable[..., Any], rng: numpy.random.Generator, size: float
) -> Any:
    """Add what rounding leaves where products cancel, in units of all products without their signs."""
    if all(_is_short(a).all() for a in arrays if a is not None and a.dtype.kind == "f"):
        return value  # nothing is rounded
    with numpy.errstate(all="ignore"):
        sizes = kernel([None if a is None else numpy.abs(a) for a in arrays])
        crumbs = rng.uniform(-size, size, value.shape) * numpy.finfo(value.dtype).eps * sizes
        cancels = numpy.isfinite(sizes) & (numpy.abs(value) < sizes)
        return numpy.where(cancels, value + crumbs, value).astype(value.dtype)


@contextlib.contextmanager
def noise(seed: int, size: float = 1.5) -> Iterator[None]:
    """Have all kernels round at random.

    Parameters
    ----------
    seed : int
        Where the random numbers begin.
    size : float
        By how many units in the last place a result may be moved.
    """
    rng = numpy.random.default_rng(seed)

    sums = _Sums(rng, size)

    def walk_back(nodes: Any, arrived: Any, vjp: Any, keep: Any = (), add: Any = operator.add, *rest: Any) -> None:
        reverse.walk_back(nodes, arrived, vjp, keep, lambda a, b: sums.add(a, b, add), *rest)

    space = kernel_space(numpy)
    known = {name: value for name, value in vars(space).items() if name != "_xp"}
    lowerings: dict[Operator, Any] = {}  # a compiled program has lines in the place of kernels: not with noise
    kernels = {op: op.kernel for op in all_operators() if not _MOVING.intersection(op.names)}
    try:
        tape.walk_back = walk_back  # what arrives at one array is added up, in an order that is nobody's
        for op, kernel in kernels.items():
            op.kernel = _noisy(op, kernel, rng, size)
            lowerings[op] = op.lowering_rule, op.numpy_lowering_rule
            op.lowering_rule = op.numpy_lowering_rule = None
        for name in known:
            del space.__dict__[name]
        # Where somebody listens, every call goes through its kernel; else arithmetic with numbers asks NumPy at once.
        with events.listening(operator_ran=lambda *what: None):
            yield
    finally:
        tape.walk_back = reverse.walk_back
        for op, kernel in kernels.items():
            op.kernel = kernel
            op.lowering_rule, op.numpy_lowering_rule = lowerings[op]
        for name in [name for name in vars(space) if name != "_xp"]:
            del space.__dict__[name]
        space.__dict__.update(known)
