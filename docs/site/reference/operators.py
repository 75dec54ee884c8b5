"""What is known of an operator, read from the registry: names, rules, calls that the tests make, errors."""

from __future__ import annotations

import functools
import inspect
import sys
import textwrap
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy

import d2lhybrid as mx
import d2lhybrid.internals.core.pipeline
import d2lhybrid.onnx  # with the pipeline, registers every operator
from d2lhybrid.internals.core.operator import REQUIRED, Operator, all_operators
from d2lhybrid.internals.frontends.documentation import default_in_words
from d2lhybrid.internals.frontends.frontend import namespace_of
from d2lhybrid.onnx.translations import find_translation

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests"))

from operator_cases import Sample, samples_of  # the calls that tests/test_every_operator.py makes

__all__ = [
    "Call", "Error", "calls", "documented", "errors", "example", "facts", "family", "places", "signature",
    "sources",
]  # fmt: skip

#: Where the functions of a place of ``namespace_of`` are found: for arrays, and for symbols.
_HOMES = {
    "": ("nd.{}", "sym.{}"), "contrib": ("nd.contrib.{}", "sym.contrib.{}"),
    "linalg": ("nd.linalg.{}", "sym.linalg.{}"), "random": ("nd.random.{}", "sym.random.{}"),
    "image": ("nd.image.{}", "sym.image.{}"), "sparse": ("nd.sparse.{}", "sym.sparse.{}"),
    "npx": ("npx.{}", "sym.npx.{}"), "npx_image": ("npx.image.{}", "sym.npx.image.{}"),
}  # fmt: skip
#: So many elements are written out in an example; of more, the shape is shown.
_MANY = 30
#: And where all the others are ones: positions and the like cannot be.
_FEW = 10


def _found(path: str) -> Any:
    value: Any = mx
    for part in path.split("."):
        value = getattr(value, part, None)
    return value


@functools.cache
def places(op: Operator) -> dict[str, str]:
    """Return every public name of an operator's functions -> the name that MXNet registers it under.

    Examples
    --------
    >>> from d2lhybrid.internals.core.operator import get_operator
    >>> list(places(get_operator("FullyConnected")))[:3]
    ['nd.FullyConnected', 'sym.FullyConnected', 'npx.fully_connected']
    """
    found = {}
    for registered in op.names:
        place, name = namespace_of(registered)
        for path in _HOMES.get(place, ()):
            if getattr(_found(path.format(name)), "operator", None) is op:
                found[path.format(name)] = registered
    return found


def documented() -> list[Operator]:
    """Return the operators that have a public function of their own, those of a file together, in its order."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [op for op in all_operators() if places(op)]


def family(op: Operator) -> str:
    """Return the file of ``d2lhybrid/internals/ops`` that an operator is in, without its ending."""
    return op.kernel.__module__.rpartition(".")[2]


def signature(op: Operator, path: str) -> str:
    """Return the parameters of a function as one would write them, with the defaults that hold."""
    parts = [f"*{op.variadic}"] if op.variadic is not None else []
    parts += [f"{i.name}=None" if i.optional else i.name for i in op.inputs]
    parts += [a.name if a.default is REQUIRED else f"{a.name}={default_in_words(a)}" for a in op.attributes.values()]
    own = inspect.signature(_found(path)).parameters
    known = {i.name for i in op.inputs} | {*op.attributes, op.variadic}
    parts += [f"{name}=None" for name in own if name not in known and name != "kwargs"]
    return f"({', '.join(parts)})"


def facts(op: Operator) -> list[tuple[str, str, str]]:
    """Return what is to be known of an operator at a glance: what, how, and in a sentence."""
    if op.gradient_rule is not None and not op.refuses_gradient:
        gradient = ("gradient", "yes", "It has a gradient, by a rule of its own.")
    elif not op.differentiable:
        gradient = ("gradient", "zero", "Its gradient is zero everywhere.")
    else:
        gradient = ("gradient", "none", "A gradient through it is an error.")
    onnx = find_translation(op.name) is not None
    said = "A net that holds it can be written as ONNX." if onnx else "A net that holds it is refused by ONNX export."
    made = [gradient, ("ONNX", "yes" if onnx else "none", said)]
    spaces = [path.partition(".")[0] for path in places(op) if not path.startswith("sym.npx")]
    made.append(("dialects", " ".join(dict.fromkeys(spaces)), "Where it is found."))
    if op.elementwise:
        made.append(("element by element", "", "The compiler fuses it with its neighbours."))
    if op.uses_training:
        made.append(("training", "differs", "It computes something else while gradients are recorded."))
    if op.uses_generator:
        made.append(("random", "", "It draws from the random numbers of the context."))
    if op.aux:
        made.append(("states", ", ".join(op.aux), "Inputs that it updates, and that get no gradient."))
    return made


# --- calls -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Call:
    """Shapes that go in and come out of one call."""

    inputs: tuple[tuple[str, str], ...]
    attributes: str
    outputs: tuple[str, ...]


def _attributes(sample: Sample) -> dict[str, Any]:
    params = {k: v for k, v in sample.op.parse(sample.attributes).items() if k in sample.op.attributes}
    return {k: v.name if isinstance(v, numpy.dtype) else v for k, v in params.items()}


def _space(op: Operator) -> tuple[str, Any, str]:
    """Return an operator's name for arrays, the module that makes these, and what it is called."""
    path = next(path for path in places(op) if not path.startswith("sym."))
    return (path, mx.np, "np") if path.startswith("npx.") else (path, mx.nd, "nd")


def _named(sample: Sample) -> list[tuple[str, Any]]:
    op = sample.op
    names = [i.name for i in op.inputs] if op.variadic is None else [f"arg{i}" for i in range(len(sample.arrays))]
    return [(name, array) for name, array in zip(names, sample.arrays, strict=False) if array is not None]


def _run(sample: Sample, arrays: list[tuple[str, Any]]) -> Any:
    if all(path.startswith("sym.") for path in places(sample.op)):  # for arrays it has no function of its own
        return sample.op.kernel(numpy, *[array for _, array in arrays], **_attributes(sample))
    path, module, _ = _space(sample.op)
    mx.random.seed(0)
    given = [(name, module.array(array, dtype=array.dtype)) for name, array in arrays]
    keywords = _attributes(sample)
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        if sample.op.variadic is not None:
            return _found(path)(*[value for _, value in given], **keywords)
        return _found(path)(**dict(given), **keywords)


def _outputs(result: Any) -> list[Any]:
    return list(result) if isinstance(result, list | tuple) else [result]


def calls(op: Operator) -> list[Call]:
    """Return some calls as shapes: what goes in, and what comes out."""
    made: list[Call] = []
    for sample in samples_of(op):
        arrays = _named(sample)
        try:
            result = _run(sample, arrays)
        except Exception:  # a call for symbols alone, or in another mode
            continue
        attributes = ", ".join(f"{k}={v!r}" for k, v in _attributes(sample).items())
        call = Call(
            tuple((name, str(array.shape)) for name, array in arrays), attributes,
            tuple(str(output.shape) for output in _outputs(result)),
        )  # fmt: skip
        if call not in made:
            made.append(call)
    return made[:4]


def _literal(array: Any, module: str) -> str:
    values = numpy.round(array.astype("float64"), 1) if array.dtype.kind == "f" else array
    kind = "" if array.dtype == numpy.float32 else f', dtype="{array.dtype.name}"'
    text = repr(values.tolist()).replace("inf", "float('inf')").replace("nan", "float('nan')")
    return f"{module}.array({text}{kind})"


def example(op: Operator) -> str:
    """Return a call with what it gives, as in a terminal: the smallest that the tests make and that can be shown."""
    path, _, name = _space(op)
    for sample in sorted(samples_of(op), key=lambda s: (s.training, sum(a.size for a in s.arrays if a is not None))):
        arrays = _named(sample)
        if sum(array.size for _, array in arrays) > _MANY:
            continue
        rounded = [(n, numpy.round(a, 1) if a.dtype.kind == "f" else a) for n, a in arrays]
        try:
            outputs = _outputs(_run(sample, rounded))
            lines = [f">>> {n} = {_literal(a, name)}" for n, a in arrays]
            given = ", ".join([*(n for n, _ in arrays)] if op.variadic else _arguments(op, arrays))
            attributes = [f"{k}={v!r}" for k, v in _attributes(sample).items()]
            lines.append(f">>> {path}({', '.join(filter(None, [given, *attributes]))})")
            shown = outputs[0] if len(outputs) == 1 else outputs
            text = repr(shown)
        except Exception:
            continue
        if sum(o.size for o in outputs) > 2 * _MANY:
            continue
        return "\n".join([*lines, *(line if line.strip() else "<BLANKLINE>" for line in text.strip("\n").split("\n"))])
    return _example_of_shapes(op)


def _arguments(op: Operator, arrays: list[tuple[str, Any]]) -> list[str]:
    """Return the inputs as arguments: by position as long as none is left out, then by name."""
    declared = [i.name for i in op.inputs]
    return [n if i < len(declared) and declared[i] == n else f"{n}={n}" for i, (n, _) in enumerate(arrays)]


def _example_of_shapes(op: Operator) -> str:
    """Return a call whose arrays are too large to be shown: what matters is their shapes."""
    path, _, name = _space(op)
    for sample in samples_of(op):
        arrays = _named(sample)
        try:
            outputs = _outputs(_run(sample, [(n, a if a.size <= _FEW else numpy.ones_like(a)) for n, a in arrays]))
        except Exception:
            continue
        lines = []
        for n, a in arrays:
            kind = "" if a.dtype == numpy.float32 else f', dtype="{a.dtype.name}"'
            made = f"{name}.ones({a.shape}{kind})" if a.size > _FEW else _literal(a, name)
            lines.append(f">>> {n} = {made}")
        given = [n for n, _ in arrays] if op.variadic else _arguments(op, arrays)
        attributes = [f"{k}={v!r}" for k, v in _attributes(sample).items()]
        call = f"{path}({', '.join([*given, *attributes])})"
        if len(outputs) == 1:
            return "\n".join([*lines, f">>> {call}.shape", str(outputs[0].shape)])
        return "\n".join([*lines, f">>> [y.shape for y in {call}]", str([o.shape for o in outputs])])
    return ""


# --- errors ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Error:
    """What is wrong with a call, and what the error says."""

    why: str
    kind: str
    message: str


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n")[0][:300]


def errors(op: Operator) -> list[Error]:
    """Return errors that were made happen: something left out, a choice that is none, shapes that do not fit."""
    return list(_attribute_errors(op)) + list(_shape_errors(op))


def _attribute_errors(op: Operator) -> Iterator[Error]:
    required = {a.name for a in op.attributes.values() if a.default is REQUIRED}
    sample = next(iter(samples_of(op)), None)
    good = dict(sample.attributes) if sample else {}
    for name in sorted(required):
        try:
            op.parse({k: v for k, v in good.items() if k != name})
        except Exception as error:
            yield Error(f"without ``{name}``", type(error).__name__, _first_line(error))
            break
    for attribute in op.attributes.values():
        if attribute.kind.startswith("Literal["):
            try:
                op.parse({**good, attribute.name: "wrong"})
            except Exception as error:
                yield Error(f'``{attribute.name}="wrong"``', type(error).__name__, _first_line(error))
                break


def _shape_errors(op: Operator) -> Iterator[Error]:
    for sample in samples_of(op):
        arrays = _named(sample)
        for i, (name, array) in enumerate(arrays):
            for axis in reversed(range(array.ndim)):
                shape = tuple(n + (k == axis) for k, n in enumerate(array.shape))
                changed = [*arrays[:i], (name, numpy.ones(shape, array.dtype)), *arrays[i + 1 :]]
                try:
                    _run(sample, changed)
                except Exception as error:
                    shapes = ", ".join(f"``{n}`` {a.shape}" for n, a in changed)
                    yield Error(shapes, type(error).__name__, _first_line(error))
                    return


# --- as it is written ---------------------------------------------------------------------------------


def sources(op: Operator) -> list[tuple[str, str]]:
    """Return the text of an operator's kernel and rules, as far as they are functions of a file."""
    found = []
    for title, function in (("kernel", op.kernel), ("shape rule", op.shape_rule), ("gradient", op.gradient_rule)):
        try:
            text = textwrap.dedent(inspect.getsource(function)) if function is not None else ""
        except (OSError, TypeError):
            continue
        if text and len(text.splitlines()) <= 60:
            found.append((title, text.rstrip()))
    return found
