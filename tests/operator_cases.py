"""Sample calls of every operator: recorded ones, written ones, and those that gradient rules make.

* *Recorded*: the cases of ``golden_data/ops``, calls of real MXNet 1.9.1. Each says which node the
  same call makes in a graph: its operator and its attributes as text.
* *Written*: the table of :mod:`operator_samples`.
* *Derived*: the gradient rules of these samples run on arrays, and every operator that they call is
  noted down with its arguments. This is where most samples of ``_backward_*`` operators come from.
"""

from __future__ import annotations

import contextlib
import functools
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import numpy
from operator_samples import WRITTEN

import d2lhybrid.internals.core.pipeline  # noqa: F401  with the package, registers every operator
from d2lhybrid.internals.core.operator import Operator, get_operator, is_registered

__all__ = ["Sample", "fresh_generator", "run_kernel", "samples_of"]

GOLDEN = Path(__file__).parent / "golden_data" / "ops"

#: More samples of one operator than this take time and tell little.
LIMIT = 4
#: So many samples of an operator are taken from gradient rules, and more for other choices of an attribute; this far do
#: rules call rules.
DERIVED_LIMIT = 2
DERIVED_DEPTH = 3


class Sample(NamedTuple):
    """One call of an operator.

    Attributes
    ----------
    op : Operator
        What is called.
    arrays : tuple of array or None
        The inputs as the kernel takes them: None where an optional one is left out.
    attributes : dict
        The attributes as a caller or a file gives them.
    training : bool
        Whether the call is in training mode.
    origin : str
        Where the sample comes from.
    """

    op: Operator
    arrays: tuple[Any, ...]
    attributes: dict[str, Any]
    training: bool
    origin: str

    @property
    def params(self) -> dict[str, Any]:
        """The attributes, parsed."""
        params = self.op.parse(self.attributes)
        params.pop("num_args", None)
        if "num_args" in self.op.attributes:
            params["num_args"] = len(self.arrays)
        return params

    @property
    def present(self) -> list[int]:
        """Positions of the inputs that are there."""
        return [i for i, a in enumerate(self.arrays) if a is not None]

    def __repr__(self) -> str:
        arrays = ", ".join("None" if a is None else f"{a.dtype.name}{list(a.shape)}" for a in self.arrays)
        attributes = "".join(f", {k}={v!r}" for k, v in self.attributes.items())
        return f"{self.op.name}({arrays}{attributes}){' training' if self.training else ''} [{self.origin}]"


def fresh_generator() -> numpy.random.Generator:
    """Return a random generator that is the same every time."""
    return numpy.random.default_rng(20240917)


def run_kernel(
    op: Operator, xp: Any, arrays: Sequence[Any], params: dict[str, Any], training: bool, rng: Any = None
) -> list[Any]:
    """Return all outputs of a kernel as arrays."""
    extras: dict[str, Any] = {}
    if op.uses_training:
        extras["training"] = training
    if op.uses_generator:
        extras["rng"] = fresh_generator() if rng is None else rng
    with numpy.errstate(all="ignore"):
        value = op.kernel(xp, *arrays, **params, **extras)
    return [xp.asarray(o) for o in (value if isinstance(value, list | tuple) else [value])]


# --- recorded and written -------------------------------------------------------------------------

#: Expressions that make one node: ``a+b``, ``1.5-a``, ``-a``.
_ONE_OPERATOR = re.compile(r"[\w.]*[-+*/%=!<>]{1,2}[\w.-]+")


def _recorded() -> Iterator[Sample]:
    for path in sorted(GOLDEN.glob("*.json")):
        with numpy.load(path.with_suffix(".npz")) as stored:
            arrays = dict(stored)
        for case in json.loads(path.read_text("utf-8"))["cases"]:
            node = case["sym"]
            if not node or not node["ok"] or not node["op"] or not is_registered(node["op"]):
                continue
            names = [f"in{i}" for i in range(len(case["inputs"]))]
            if node["args"] + node["aux"] != names or not (
                "op" in case or _ONE_OPERATOR.fullmatch(case.get("expr", ""))
            ):
                continue
            op = get_operator(node["op"])
            attributes = {k: v for k, v in node["attrs"].items() if not k.startswith("__")}
            inputs = op.arrange(op.parse(attributes), [arrays[key] for key in case["inputs"]])
            yield Sample(op, tuple(inputs), attributes, case["train"], case["id"])


def _written() -> Iterator[Sample]:
    for name, calls in WRITTEN.items():
        op = get_operator(name)
        for number, call in enumerate(calls):
            yield Sample(op, call.arrays, call.attributes, call.training, f"written {number}")


def _chosen(samples: list[Sample], count: int) -> list[Sample]:
    """Return a few samples, from the beginning to the end, different attributes before equal ones."""
    different: dict[str, Sample] = {}
    further = []
    for sample in samples:
        key = f"{sorted(sample.attributes.items(), key=str)} {sample.training} {len(sample.arrays)}"
        if key in different:
            further.append(sample)
        else:
            different[key] = sample
    ordered = list(different.values())
    if len(ordered) > count > 1:
        step = (len(ordered) - 1) / (count - 1)
        return [ordered[round(i * step)] for i in range(count)]
    return [*ordered, *further][:count]


def choices_of(op: Operator) -> set[tuple[str, Any]]:
    """Return every value of every attribute that has a few only: each may be a formula of its own."""
    kinds = {name: attribute.kind.partition(" | ")[0] for name, attribute in op.attributes.items()}
    return {
        (name, choice)
        for name, kind in kinds.items() if kind.startswith("Literal")
        for choice in get_args(eval(kind, {"Literal": Literal}))
    }  # fmt: skip


def _with_all_choices(op: Operator, chosen: list[Sample], samples: Sequence[Sample]) -> list[Sample]:
    """Return the chosen samples, and of others those that are needed to see every choice."""
    missing = choices_of(op) - {choice for sample in chosen for choice in sample.params.items() if _is_choice(choice)}
    added = []
    for sample in samples:
        if seen := missing & {choice for choice in sample.params.items() if _is_choice(choice)}:
            missing -= seen
            added.append(sample)
    return [*chosen, *added]


def _is_choice(item: tuple[str, Any]) -> bool:
    return isinstance(item[1], str | int | float | bool)


# --- derived --------------------------------------------------------------------------------------


class _NotingSpace:
    """``F`` for raw arrays that notes which operators a gradient rule calls, and on what."""

    def __init__(self, note: Callable[[Operator, tuple[Any, ...], dict[str, Any]], None]) -> None:
        self._note = note

    def __getattr__(self, name: str) -> Callable[..., Any]:
        op = get_operator(name)

        def call(*arrays: Any, **attributes: Any) -> Any:
            while arrays and arrays[-1] is None:
                arrays = arrays[:-1]
            self._note(op, arrays, attributes)
            outputs = run_kernel(op, numpy, arrays, attributes, True)
            return outputs[0] if len(outputs) == 1 else outputs

        return call


def run_rule(sample: Sample, space: Any, rng: numpy.random.Generator) -> list[Any]:
    """Run a sample's gradient rule with random head gradients in a function space."""
    op, params = sample.op, sample.params
    outputs = run_kernel(op, numpy, sample.arrays, params, sample.training)
    visible = op.num_visible_outputs(params, len(sample.arrays))
    heads = [rng.normal(size=o.shape).astype(o.dtype) if i < visible else None for i, o in enumerate(outputs)]
    needs = tuple(a is not None and a.dtype.kind == "f" for a in sample.arrays)
    with numpy.errstate(all="ignore"):
        return op.vjp(space, heads, outputs, sample.arrays, params, needs, sample.training)


def _derive(samples: dict[Operator, list[Sample]]) -> None:
    """Add samples of the operators that gradient rules call, and of those that these operators' rules call."""
    rng = numpy.random.default_rng(0)
    todo = [s for group in samples.values() for s in group]
    for _ in range(DERIVED_DEPTH):
        found: list[Sample] = []
        for sample in todo:
            if sample.op.gradient_rule is not None:
                found += _called_by_gradient(sample, samples, rng)
        todo = found


def _called_by_gradient(
    sample: Sample, samples: dict[Operator, list[Sample]], rng: numpy.random.Generator
) -> list[Sample]:
    found: list[Sample] = []

    def note(op: Operator, arrays: tuple[Any, ...], attributes: dict[str, Any]) -> None:
        group = samples.setdefault(op, [])
        inputs = tuple(None if a is None else numpy.asarray(a) for a in arrays)
        new = Sample(op, inputs, attributes, True, f"gradient of {sample}")
        if len(group) < DERIVED_LIMIT or len(_with_all_choices(op, group, [new])) > len(group):
            group.append(new)
            found.append(new)

    with contextlib.suppress(Exception):  # the test of this sample's gradient tells
        run_rule(sample, _NotingSpace(note), rng)
    return found


@functools.cache
def all_samples() -> dict[Operator, list[Sample]]:
    """Return every operator's samples; read and run once."""
    samples: dict[Operator, list[Sample]] = {}
    recorded: dict[Operator, list[Sample]] = {}
    for sample in _written():
        samples.setdefault(sample.op, []).append(sample)
    for sample in _recorded():
        recorded.setdefault(sample.op, []).append(sample)
    for op, group in recorded.items():
        already = samples.setdefault(op, [])
        already += _chosen(group, LIMIT - len(already))
        samples[op] = _with_all_choices(op, already, group)
    _derive(samples)
    return samples


def samples_of(op: Operator) -> list[Sample]:
    """Return the sample calls of an operator, none if nobody thought of it."""
    return all_samples().get(op, [])
