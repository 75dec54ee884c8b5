"""A program in a mode, against the eager one."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import re
import traceback
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy

import d2lhybrid as mx
from d2lhybrid.internals.core.operator import get_operator

from . import prelude
from .compare import Seen, difference
from .judge import ask
from .modes import MODES, Mode, eager_text, thresholds, thresholds_text
from .noise import moved, noise
from .program import Array, Program
from .steps import Step, use_text

__all__ = [
    "Finding", "Reference", "check", "draws_aside", "flavoured", "graph_takes", "script", "types_of",
    "unused_parameters", "with_sharing",
]  # fmt: skip

#: Runs with noise that are always made, and those that are made before anything is called a finding.
FEW, MANY = 2, 24


#: Steps that are possible where there are no gradients.
_WRITING = {"set", "assign", "assign a view", "in place", "copy", "input", "scribble"}
_PREDICTING = {"predict", *_WRITING, "bad", "few", "same twice"}


@dataclasses.dataclass(frozen=True)
class Finding:
    """A difference.

    Attributes
    ----------
    program : Program
        What was run.
    mode : str
        How.
    thresholds : dict
        What was set in the compiler.
    text : str
        What was seen.
    """

    program: Program
    mode: str
    thresholds: dict[tuple[str, str], int]
    text: str

    @property
    def kind(self) -> str:
        """What two findings of the same cause have in common: which error, or that values differ."""
        what = self.text.partition(":")[0]
        return what if what.endswith(("Error", "Exception")) else "differs"


@contextlib.contextmanager
def flavoured(flavour: str) -> Iterator[None]:
    """Switch NumPy's semantics on for programs that use them."""
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        if flavour != "np":
            yield
            return
        mx.npx.set_np()
        try:
            yield
        finally:
            mx.npx.reset_np()


def _run(program: Program, mode: Mode | None, size: float = 0.0, seed: int = 0) -> Seen:
    """Run a program, eagerly or in a mode; return what it saw. With noise, gradients that arrive are moved by ``size``.

    (What the tape adds up rounds, too, and is no operator.)
    """
    if mode is not None and mode.judge:
        return ask(program, eager_text(program))
    text = program.class_text() + "\n\n" + use_text(program) + "\n\n"
    text += eager_text(program) if mode is None else mode.make_text(program)
    names = prelude.namespace()
    exec(compile(text, "<fuzz>", "exec"), names)
    if size:
        heads, rng = names["heads"], numpy.random.default_rng(int(size * 1000) + seed)
        names["heads"] = lambda *given: [_moved_array(names["array"], a, rng, size) for a in heads(*given)]
    gpu = mode is not None and mode.gpu
    ctx = mx.gpu(0) if gpu else mx.cpu()
    mx.random.seed(7)
    if mode is None:
        return names["use"](names["eager"], ctx, False)
    found = names["use"](names["hybrid"], ctx, True, names["flags"])
    return [(n, a, "cpu(0)" if c == "gpu(0)" else c) for n, a, c in found] if gpu else found


def _moved_array(make: Any, array: Any, rng: Any, size: float) -> Any:
    return make(moved(array.asnumpy(), rng, size), array.ctx)


def _eager_arrays(program: Program) -> list[Any]:
    """Return the memory of the outputs of an eager call, of its arguments and of all parameters."""
    text = (
        program.class_text() + "\n\n" + use_text(dataclasses.replace(program, steps=())) + "\n\n" + eager_text(program)
    )
    names = prelude.namespace()
    with flavoured(program.flavour):
        exec(compile(text, "<fuzz>", "exec"), names)
        x = [names["array"](eval(i.array.text, names), mx.cpu()) for i in program.inputs]
        net = names["eager"](x, mx.cpu())
        return [a._data for a in [*names["flat"](net(*x)), *x, *names["states"](net)]]


def with_sharing(program: Program) -> Program:
    """Note which outputs are inputs, and which share memory with anything when the net runs eagerly."""
    try:
        arrays = _eager_arrays(program)
    except Exception:
        return program
    count = len(program.net.outputs)
    passed = [i for i in range(count) if any(arrays[i] is other for other in arrays[count:])]
    shared = [
        i
        for i in range(count)
        if any(i != j and numpy.may_share_memory(arrays[i], other) for j, other in enumerate(arrays))
    ]
    return dataclasses.replace(program, passed=tuple(passed), shared=tuple(shared))


class Reference:
    """What a program does eagerly, and how certain that is."""

    def __init__(self, program: Program) -> None:
        self.program = program
        with flavoured(program.flavour):
            self.seen = _run(program, None)
        self._noisy: dict[float, list[Seen]] = {}

    @functools.cached_property
    def predicting(self) -> Reference:
        """The same program, which only predicts."""
        if {s.kind for s in self.program.steps} <= _PREDICTING:
            return self
        steps = [s for s in self.program.steps if s.kind in _PREDICTING] or [Step("predict")]
        return Reference(dataclasses.replace(self.program, steps=tuple(steps)))

    def noisy(self, count: int, size: float) -> list[Seen]:
        """Return what runs with noise saw."""
        runs = self._noisy.setdefault(size, [])
        with flavoured(self.program.flavour):
            while len(runs) < count:
                with noise(len(runs), size):
                    runs.append(_run(self.program, None, size, len(runs)))
        return runs[:count]


@contextlib.contextmanager
def _device(mode: Mode) -> Iterator[None]:
    if not mode.gpu:
        yield
        return
    from simulated_gpu import simulated_gpu

    with simulated_gpu(memory_size=256 << 20):
        yield


def check(reference: Reference, name: str, lowered: dict[tuple[str, str], int]) -> Finding | None:
    """Run a program in a mode; return what differs from the eager run, or None."""
    mode = MODES[name]
    reference = reference.predicting if mode.predicts_only else reference
    program = reference.program
    if (mode.gpu or mode.judge) and program.draws:
        return None  # every device draws numbers of its own, and so does MXNet
    if mode.needs_files and program.calls_functions:
        return None
    try:
        with flavoured(program.flavour), thresholds(lowered), mx.config(tiers=mode.tiers or True), _device(mode):
            found = _run(program, mode)
    except Exception as error:
        if mode.refusal and re.search(mode.refusal, f"{type(error).__name__}: {error}"):
            return None
        where = traceback.extract_tb(error.__traceback__)[-1]
        said = next(iter(str(error).splitlines()), "")
        return Finding(program, name, lowered, f"{type(error).__name__}: {said} ({where.filename}:{where.lineno})")
    text = ""
    for count, size in ((0, 1.5), (FEW, 1.5), (MANY, 1.5 * mode.scale)):
        try:
            noisy = reference.noisy(count, size)
        except Exception:  # rounding decides whether it fails
            return None
        text = difference(reference.seen, found, noisy, mode.scale, mode.absolute)
        if not text:
            return None
    return Finding(program, name, lowered, text)


def script(finding: Finding) -> str:
    """Return a program that shows a finding, complete."""
    program, mode = finding.program, MODES[finding.mode]
    head = ["import contextlib", "import importlib", "import shutil", "import tempfile", "", "import numpy", ""]
    head += [
        "import d2lhybrid as mx",
        "from d2lhybrid import autograd, gluon, nd",
        "from d2lhybrid.gluon import nn, rnn",
    ]
    head += ["", "mx.npx.set_np()"] if program.flavour == "np" else []
    parts = ["\n".join(head), thresholds_text(finding.thresholds), prelude.text(), program.class_text()]
    parts += [use_text(program), eager_text(program), mode.make_text(program)]
    parts += [_MAIN_GPU if mode.gpu else _MAIN]
    return f"# {finding.text}\n" + "\n\n".join(part for part in parts if part)


_MAIN = """\
expected, found = use(eager, mx.cpu(), False), use(hybrid, mx.cpu(), True, flags)
for (name, right, _), (_, value, _) in zip(expected, found, strict=True):
    numpy.testing.assert_allclose(value, right, rtol=1e-3, atol=1e-5, err_msg=name)
"""

_MAIN_GPU = """\
import sys
sys.path.insert(0, "tests")
from simulated_gpu import simulated_gpu

expected = use(eager, mx.cpu(), False)
with simulated_gpu():
    found = use(hybrid, mx.gpu(0), True, flags)
for (name, right, _), (_, value, _) in zip(expected, found, strict=True):
    numpy.testing.assert_allclose(value, right, rtol=1e-3, atol=1e-5, err_msg=name)
"""


def types_of(program: Program) -> dict[str, tuple[tuple[int, ...], str]]:
    """Return shape and dtype of every value of a program's net."""
    names = prelude.namespace()
    net = program.net
    every = dataclasses.replace(
        net, outputs=(*(i.name for i in program.inputs), *(t for s in net.statements for t in s.targets)), nested=False
    )
    whole = dataclasses.replace(program, blocks=(*program.blocks[:-1], every))
    with flavoured(program.flavour):
        exec(compile(whole.class_text() + "\n\n" + eager_text(whole), "<fuzz>", "exec"), names)
        x = [names["array"](eval(i.array.text, names), mx.cpu()) for i in program.inputs]
        net = names["eager"](x, mx.cpu())
        values = names["flat"](net(*x))
    found = {name: (a.shape, numpy.dtype(a.dtype).name) for name, a in zip(every.outputs, values, strict=True)}
    return found


def _traced(program: Program) -> mx.sym.Symbol:
    """Return the symbol of a program's outputs."""
    names = prelude.namespace()
    with flavoured(program.flavour):
        exec(compile(program.class_text(), "<fuzz>", "exec"), names)
        symbols = [mx.sym.var(i.name) for i in program.inputs]
        if program.flavour == "np":
            symbols = [s.as_np_ndarray() for s in symbols]
        return mx.sym.Group(names["flat"](names[program.net.name](prefix="net_")(*symbols)))


def draws_aside(program: Program) -> bool:
    """Return whether random numbers are drawn that nobody uses: an eager net does that, a graph does not."""
    if not program.draws:
        return False
    op = get_operator("Dropout")
    kernel, calls = op.kernel, 0

    def counted(*given: Any, **params: Any) -> Any:
        nonlocal calls
        calls += 1
        return kernel(*given, **params)

    text = program.class_text() + "\n\n" + eager_text(program)
    names = prelude.namespace()
    with flavoured(program.flavour):
        exec(compile(text, "<fuzz>", "exec"), names)
        x = [names["array"](eval(i.array.text, names), mx.cpu()) for i in program.inputs]
        net = names["eager"](x, mx.cpu())
        op.kernel = counted
        try:
            net(*x)
        finally:
            op.kernel = kernel
    return calls > sum(node["op"] == "Dropout" for node in json.loads(_traced(program).tojson())["nodes"])


def graph_takes(program: Program, arrays: Sequence[Array]) -> bool:
    """Return whether a graph takes arrays of these shapes: ``F.maximum`` of symbols wants equal ones, as MXNet's."""
    shapes = {i.name: a.shape for i, a in zip(program.inputs, arrays, strict=True)}
    symbol = _traced(program)
    try:
        with flavoured(program.flavour):
            symbol.infer_shape_partial(**{n: s for n, s in shapes.items() if n in symbol.list_inputs()})
    except mx.MXNetError as error:
        return "Incompatible attr" not in str(error)
    return True


def unused_parameters(program: Program) -> list[str]:
    """Return the parameters that a trace does not reach: only an eager call ever finds their shapes."""
    names = prelude.namespace()
    with flavoured(program.flavour):
        exec(compile(program.class_text(), "<fuzz>", "exec"), names)
        net = names[program.net.name](prefix="net_")
        symbols = [mx.sym.var(i.name) for i in program.inputs]
        if program.flavour == "np":
            symbols = [s.as_np_ndarray() for s in symbols]
        used = {n for s in names["flat"](net(*symbols)) for n in s.list_inputs()}
    return [name for name in net.collect_params() if name not in used]
