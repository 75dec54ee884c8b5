"""Statements made of the sample calls of all operators: every operator comes, with the attributes of its samples."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import numpy
from operator_cases import all_samples

from d2lhybrid.internals.frontends.frontend import namespace_of

from .builder import Builder
from .program import Array

__all__ = ["add_samples", "sampled_names"]

_PREFIXES = {
    "nd": {"": "F.", "contrib": "F.contrib.", "linalg": "F.linalg.", "_internal": "F._internal.", "image": "F.image."},
    "np": {"npx": "F.npx.", "npi": "F.np._internal.", "np": "F.np.", "npx_image": "F.npx.image."},
}


#: What it tells is where values lie, which is not the same in a program.
_NOT_A_VALUE = {"_npi_share_memory"}
#: The inputs that may only hold row numbers: the backward pass refuses all other values, eager and hybridized.
_ROW_NUMBERS = {("_contrib_SparseEmbedding", "data")}
#: The files of operators that decompose or invert matrices: rounding decides all of a result where one is singular.
_DECOMPOSING = {"linalg_factor", "numpy_linalg", "numpy_svd"}


@functools.cache
def _calls(flavour: str) -> list[tuple[str, Any]]:
    """Return the text of a function for each operator, with its samples."""
    found = []
    for op, samples in all_samples().items():
        if op.name.startswith("_backward_") or op.name in _NOT_A_VALUE:
            continue
        if op.uses_generator or op.forward_updates is not None:
            continue  # what writes into its arguments means something else where these are values of a graph
        for name in op.names:
            place, public = namespace_of(name)
            prefix = _PREFIXES[flavour].get(place)
            if prefix is not None:
                found.append((f"{prefix}{public}", samples))
                break
    return found


def sampled_names(flavour: str) -> list[str]:
    """Return the functions that are called."""
    return [text for text, _ in _calls(flavour)]


def _adapted(b: Builder, array: Any) -> str | None:
    """Return a value of a sample's type and range, made of one that is there; None if there is none."""
    x = b.pick_float(least=1)
    if x is None or array.dtype.kind != "f" or array.size == 0 or 0 in b.shape(x):
        return None
    finite = array[numpy.isfinite(array)]
    if not finite.size:
        return None
    low, high = float(finite.min()), float(finite.max())
    size = int(numpy.prod(b.shape(x)))
    reps = -(-array.size // size)
    dtype = array.dtype.name
    if b.flavour == "nd":
        if array.shape == ():
            return None
        text = f"F.slice(F.tile(F.reshape({{0}}, shape=(-1,)), reps=({reps},)), begin=(0,), end=({array.size},))"
        text = f"F.sigmoid(F.reshape({text}, shape={array.shape}))"
    else:
        text = f"F.np.tile({{0}}.reshape((-1,)), {reps})[:{array.size}].reshape({array.shape})"
        text = f"F.npx.sigmoid({text})"
    text += f" * {high - low:.3g} + {low:.3g}"
    if b.dtype(x) != dtype:
        text = f"({text}).astype('{dtype}')"
    made = b.call(text, x)
    return made[0] if made else None


def _argument(b: Builder, array: Any) -> str | None:
    """Return a value for one input of a sample: one that is there, one that is made fitting, or an argument."""
    kind = numpy.dtype(array.dtype).kind
    name = b.pick(lambda a: a.shape == array.shape and numpy.dtype(a.dtype) == array.dtype)
    if kind == "f":
        if name is not None and b.chance(0.6):
            return name
        if b.chance(0.5) and (made := _adapted(b, array)) is not None:
            return made
    if b.fixed or array.size > 200 or (b.flavour == "nd" and (array.ndim == 0 or array.size == 0)):
        return None  # to the legacy dialect a size of 0, and a shape without axes, are unknown
    return b.new_input(Array.literal(array))


def _state(b: Builder, array: Any) -> str | None:
    """Return an argument with the sample's values, for a state or row numbers, which no graph may compute here."""
    return None if b.fixed else b.new_input(Array.literal(array), "null")


def _decomposes(text: str, op: Any) -> bool:
    return "linalg" in text or op.kernel.__module__.rpartition(".")[2] in _DECOMPOSING


def _is_nearly_singular(matrices: Any) -> bool:
    """Return whether rounding decides what becomes of matrices."""
    if matrices.ndim < 2 or matrices.size == 0:
        return False
    if not numpy.isfinite(matrices).all():
        return True
    found = numpy.linalg.svd(matrices.astype("float64"), compute_uv=False)
    return bool((found[..., -1] < 1e-2 * found[..., 0]).any())


def add_samples(b: Builder) -> Any:
    """Add a call of some operator."""
    text, samples = b.choose(_calls(b.flavour))
    sample = b.choose(samples)
    if sample.training or any(a is not None and a.size > 200 for a in sample.arrays):
        return None
    count = len(b.inputs)
    arguments: list[str] = []
    parts = []
    op = sample.op
    for declared, array in zip(itertools.chain(op.inputs, itertools.repeat(None)), sample.arrays, strict=False):
        if array is None:
            parts.append("None")
            continue
        own = declared is not None and (declared.name in op.aux or (op.name, declared.name) in _ROW_NUMBERS)
        make = _state if own else _argument
        argument = make(b, numpy.asarray(array))
        if argument is None or (_decomposes(text, op) and _is_nearly_singular(b.values[argument].asnumpy())):
            return None
        parts.append(f"{{{len(arguments)}}}")
        arguments.append(argument)
    settings = []
    for name, value in sample.attributes.items():
        if hasattr(value, "shape") or name == "num_args":
            return None
        if name == "ctx":
            continue
        settings.append(f"{name}={value!r}".replace("{", "{{").replace("}", "}}"))
    made = b.call(f"{text}({', '.join([*parts, *settings])})", *arguments)
    if made is None:  # arguments that nobody uses are dropped
        for given in b.inputs[count:]:
            b.values.pop(given.name, None)
        del b.inputs[count:]
    return made
