"""``check_hybridization``: does a net do the same hybridized as run line by line, and if not, why?"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator, Sequence
from typing import Any

import numpy

from .. import backend
from ..errors import MXNetError
from ..gluon import Block, HybridBlock, SymbolBlock
from ..ndarray.invoke import wrap
from ..ndarray.ndarray import NDArray
from .comparing import arrays_of, blame, difference, structure_of
from .findings import Finding, Findings, add
from .freezing import frozen_in, frozen_variables
from .observing import Preserved, Run, following_nodes, watched_call
from .reading import Function, all_blocks, functions_of, unregistered

__all__ = ["Finding", "Findings", "check_hybridization"]


def check_hybridization(
    net: Block,
    *inputs: Any,
    shapes: Sequence[Any] | None = None,
    modes: Sequence[str] = ("predict", "train"),
    seeds: Sequence[int] = (0, 1),
) -> Findings:
    """Compare a net run line by line with the same net hybridized, and explain all differences.

    The net is called on the inputs, on other values and on other batch sizes (where it accepts
    them), in both modes, with equal random seeds. It is left as it was: parameters, states,
    counters, random generators, and whether it is hybridized.

    Parameters
    ----------
    net : Block
        The net; its parameters must be initialized.
    *inputs : NDArray or nested list of NDArray
        What it is called on.
    shapes : sequence, optional
        Further shapes to call it on: for each a shape, or a list with the shapes of all inputs.
    modes : sequence of str
        ``"predict"`` and ``"train"``; the first is the one that is traced.
    seeds : sequence of int
        Random seeds.

    Returns
    -------
    Findings
        True if there is something to say; printed, it says so in words.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> net = nn.Dense(2)
    >>> net.initialize()
    >>> check_hybridization(net, nd.ones((4, 3)))
    Dense: hybridized and run line by line it computes the same (8 calls compared), and nothing is frozen.
    >>> net = nn.HybridLambda(lambda F, x: F.relu(x) + x.shape[0])
    >>> check_hybridization(net, nd.ones((4, 3))).differences[0].remedy
    'Symbols have no shape: ...'
    """
    if not seeds or not modes or not set(modes) <= {"predict", "train"}:
        raise ValueError('modes are "predict" and "train", and there must be one of them and one seed at least')
    findings = Findings(type(net).__name__)
    functions = functions_of(net)
    with Preserved(net, functions) as kept:
        _Check(net, functions, kept, findings).run(inputs, shapes, modes, seeds)
    return findings


class _Check:
    """One check of one net."""

    def __init__(self, net: Any, functions: list[Function], kept: Preserved, findings: Findings) -> None:
        self.net, self.functions, self.kept, self.findings = net, functions, kept, findings

    def run(self, inputs: Any, shapes: Any, modes: Sequence[str], seeds: Sequence[int]) -> None:
        """Do everything, and fill the findings."""
        self._look_at_blocks()
        self.kept.remember_parameters()
        first = self._call(inputs, modes[0], seeds[0], hybrid=False)
        self.kept.remember_parameters()  # those that waited for the first call have values now
        if first.error is not None:
            self._report_error(first.error, "run line by line", inputs)
        eager = {} if first.error is not None else self._run_eagerly(inputs, shapes, modes, seeds)
        with following_nodes():
            trace = self._call(inputs, modes[0], seeds[0], hybrid=True)
        named = [(name, run) for (name, *_), run in eager.items()] or [("with these inputs", first)]
        # Without a graph nothing is frozen yet; what could be is told by the run with arrays.
        self._report_frozen(trace if trace.error is None else Run(hits=first.hits), named)
        if trace.error is not None:
            self._report_error(trace.error, "hybridized", inputs)
            return
        self._report_warnings(trace)
        if first.error is not None:
            return
        again = self._call(inputs, modes[0], seeds[0], hybrid=True)
        if first.printed and not again.printed and not self.findings.of_kind("print"):
            self._add("print", f"A call prints {first.printed[:40]!r}; hybridized, only the trace does.")
        for (name, args, mode, seed), run in eager.items():
            self._compare(name, args, mode, seed, run)
        self._look_at_graph(inputs)
        if not isinstance(self.net, HybridBlock):
            self._check_parts(inputs, shapes, modes, seeds)

    # --- running ---------------------------------------------------------------------------------

    def _call(self, args: Any, mode: str, seed: int, hybrid: bool, operators: bool = False) -> Run:
        self.kept.reset(seed)
        for block in self.kept.blocks:
            if isinstance(block, HybridBlock):
                block._active = hybrid
                block._fast_call = None
        return watched_call(self.net, _copied(args), mode, self.functions, operators)

    def _run_eagerly(self, inputs: Any, shapes: Any, modes: Any, seeds: Any) -> dict[Any, Run]:
        runs: dict[Any, Run] = {}
        for i, (label, args) in enumerate(_variations(inputs, shapes)):
            for mode in modes:
                for seed in seeds if i == 0 else seeds[:1]:
                    run = self._call(args, mode, seed, hybrid=False)
                    for found in frozen_variables(self.functions, self.kept.variables):
                        add(self.findings.frozen, found)
                    if run.error is None:
                        runs[f"{label}, {mode} mode, seed {seed}", _Same(args), mode, seed] = run
                    elif i == 0:
                        self._report_error(run.error, f"run line by line in {mode} mode", args)
        return runs

    # --- reporting -------------------------------------------------------------------------------

    def _add(
        self, kind: str, what: str, why: str = "", remedy: str = "", place: Any = None, note: bool = False
    ) -> None:
        found = self.findings.notes if note else self.findings.differences
        add(found, Finding(kind, what, why, remedy, *(place or (None, 0))))

    def _report_error(self, error: Exception, when: str, args: Any) -> None:
        kind, notes = "error", list(getattr(error, "__notes__", []))
        message = str(error).strip().split("\n")[0]
        tracing = [n for n in notes if n.startswith("while tracing")]
        remedies = [n for n in notes if not n.startswith(("while tracing", "in layer", "in operator"))]
        others = [n for n in notes if n.startswith(("in layer", "in operator"))]
        place = self._place_of(error, tracing)
        remedy = " ".join(remedies)
        if "argument structure" in message or ("HybridBlock input must be" in message and not remedies):
            remedy = remedy or "Inputs are arrays: pass numbers and texts to the constructor of the block."
        before = next((f for f in self.findings.differences if f.kind == kind and message in f.what), None)
        if before is not None:
            before.what = before.what.replace("run line by line,", "run line by line and hybridized,")
            return
        why = " ".join(tracing or others)
        if tracing:
            why = "hybrid_forward runs once with Symbols, which describe a computation and have no values: " + why
        self._add(kind, f"{when}, the net raises {type(error).__name__}: {message}", why, remedy, place)

    def _place_of(self, error: BaseException, tracing: list[str]) -> Any:
        codes = {f.filename for f in self.functions}
        place = None
        for frame, line in traceback.walk_tb(error.__traceback__):
            if frame.f_code.co_filename in codes:
                place = frame.f_code.co_filename, line
        if place is None and error.__cause__ is not None:
            place = self._place_of(error.__cause__, [])
        if place is None and tracing:
            match = re.search(r'File "(.*?)", line (\d+)', tracing[-1])
            place = (match[1], int(match[2])) if match else None
        match = re.search(r"Error in operator (\w+)", str(error))
        graph = getattr(self.net, "_cached_graph", None)
        if match and graph:
            place = next((n.source for n in graph[1]._nodes() if n.name == match[1] and n.source), place)
        return tuple(place) if place else None

    def _report_frozen(self, trace: Run, eager: list[tuple[str, Run]]) -> None:
        changing = {f.what.split("`")[1] for f in self.findings.frozen if f.kind == "counter"}
        for found in frozen_in(self.functions, trace, eager):
            name = found.what.split(" ", 1)[0].rpartition(".")[2]
            if found.kind != "attribute" or f"self.{name}" not in changing:
                add(self.findings.frozen, found)

    def _report_warnings(self, trace: Run) -> None:
        for warning in trace.warned:
            text = str(warning.message)
            if text.startswith("In a hybridized block, "):
                what, _, rest = text.partition(". ")
                run, _, remedy = rest.partition(". ")
                self._add("silent", what + ".", run + ".", remedy, (warning.filename, warning.lineno))
            elif "not used by any computation" in text:
                method = next((f for f in self.functions if f.function.__name__ == "hybrid_forward"), None)
                code = None if method is None else method.function.__code__
                self._add(
                    "unused", text.replace("Is this intended?", "").strip(),
                    "What does not lead to an output is no part of the graph.",
                    "Remove it, or use it: perhaps a name is mistyped.",
                    None if code is None else (code.co_filename, code.co_firstlineno), note=True,
                )  # fmt: skip

    def _compare(self, name: str, args: Any, mode: str, seed: int, eager: Run) -> None:
        args = args.args
        self.findings.runs.append(name)
        hybrid = self._call(args, mode, seed, hybrid=True)
        if hybrid.error is not None:
            self._report_error(hybrid.error, f"hybridized ({name})", args)
            return
        left, right = arrays_of(eager.out), arrays_of(hybrid.out)
        if len(left) != len(right):
            self._add("outputs", f"Run line by line there are {len(left)} outputs, hybridized {len(right)} ({name}).")
            return
        nested = structure_of(eager.out), structure_of(hybrid.out)
        if nested[0] != nested[1]:
            self._add(
                "structure", f"Run line by line the net returns {nested[0]}, hybridized {nested[1]}.",
                "A graph has a flat list of outputs; what comes back is nested again with lists, not tuples.",
                "Do not ask for a tuple: unpack the result, or index it.", self._line_of_return(), note=True,
            )  # fmt: skip
        found = next((d for d in map(difference, left, right) if d is not None), None)
        if found is not None:
            self._explain(name, args, mode, seed, found)

    def _line_of_return(self) -> Any:
        import ast

        for function in self.functions:
            if function.block is self.net and function.node is not None:
                for node in ast.walk(function.node):
                    if isinstance(node, ast.Return):
                        return function.filename, node.lineno
        return None

    def _explain(self, name: str, args: Any, mode: str, seed: int, found: tuple[str, str]) -> None:
        kind, text = found
        if not isinstance(self.net, HybridBlock) or self.net._cached_graph is None:
            self._add(kind, f"An output differs ({name}): {text}.", "The parts of the net are checked one by one.")
            return
        run = self._call(args, mode, seed, hybrid=False, operators=True)
        outputs = arrays_of(run.out)
        self.kept.reset(seed)
        culprit = blame(self.net, _copied(args), mode, run.records, outputs)
        if not culprit.confirmed:
            nodes = self.net._cached_graph[1]._nodes()
            if any(n.op is not None and n.op.uses_generator for n in nodes):
                return  # the same random operators, which draw in another order
            self._add(
                kind, f"An output differs ({name}): {text}.",
                "The graph is right: run operator by operator it gives what hybrid_forward gives. The compiled program "
                "does not.", "This is a fault of the compiler. Please report it with this net.",
            )  # fmt: skip
            return
        place, operator = culprit.place, culprit.operator
        layer = f" in layer {place.layer!r}" if place is not None and place.layer else ""
        what = f"The first operator with another value is {operator}{layer} ({name}): {culprit.text}."
        if operator == "the output":
            what = f"All operators that both have agree, but the output differs ({name}): {culprit.text}."
        why, remedy, line = self._reason(tuple(place) if place is not None and place.inside else None)
        self._add(culprit.kind, what, why, remedy, line)

    def _reason(self, place: Any) -> tuple[str, str, Any]:
        """Return why an operator at a line has another value, the remedy, and the line to name."""
        candidates = [*self.findings.of_kind("silent"), *self.findings.frozen]
        here = [f for f in candidates if (f.filename, f.line) == place]
        order = {"silent": 0, "branch": 1, "loop": 1}
        here.sort(key=lambda f: (not f.differs and f.kind != "silent", order.get(f.kind, 2)))
        anywhere = [f for f in candidates if f.differs or f.kind == "silent"]
        for cause in [*here[:1], *anywhere]:
            where = "" if (cause.filename, cause.line) == place else f" (line {cause.line})"
            line = place or (cause.filename, cause.line)
            return f"{cause.what} {cause.why}{where}", cause.remedy, line
        return (
            "The same line does something else with Symbols than with arrays, or takes a value that Python computed.",
            "Compare the line with the operators of F, which do the same for both.", place,
        )  # fmt: skip

    # --- what no call is needed for --------------------------------------------------------------------

    def _look_at_blocks(self) -> None:
        for path, block in all_blocks(self.net):
            for name, container, _ in unregistered(block):
                line = self._line_that_reads(block, name)
                self._add(
                    "unregistered",
                    f"The blocks in {path}.{name} are no children of the net: they stand in a {type(container).__name__}.",
                    "collect_params() and initialize() do not find their parameters, and the graph does not know them.",
                    "Use nn.HybridSequential, or register_child(block) for each.", line,
                )  # fmt: skip
            cls = type(block)
            if not isinstance(block, HybridBlock):
                if path != "self" or not block._children:
                    self._add(
                        "not compiled", f"{path} is a {cls.__name__}, a Block and not a HybridBlock.",
                        "Its forward is Python, and runs at every call, hybridized or not.",
                        "Derive it from HybridBlock, and write hybrid_forward(self, F, x).", _line_of(cls, "forward"),
                        note=True,
                    )  # fmt: skip
                continue
            if (
                cls.forward is not HybridBlock.forward
                and not isinstance(block, SymbolBlock)
                and _line_of(cls, "forward")
            ):
                self._add(
                    "not compiled", f"{path} is a HybridBlock, but {cls.__name__} overrides forward.",
                    "hybridize() changes what HybridBlock.forward does. This forward is Python, and runs at every call.",
                    "Write hybrid_forward(self, F, x) instead of forward(self, x).", _line_of(cls, "forward"), note=True,
                )  # fmt: skip
            if path != "self" and (block._forward_hooks or block._forward_pre_hooks):
                hooks = [*block._forward_hooks.values(), *block._forward_pre_hooks.values()]
                code = getattr(hooks[0], "__code__", None)
                self._add(
                    "hook", f"The hook on {path} is called when the net is run line by line, or traced; hybridized, not.",
                    "A compiled program calls no blocks: the layers are operators of one graph.",
                    "Call net.hybridize(False) while you need the hook, or return the value as a further output.",
                    None if code is None else (code.co_filename, code.co_firstlineno),
                )  # fmt: skip

    def _line_that_reads(self, block: Any, name: str) -> Any:
        import ast

        for function in self.functions:
            if function.block is block and function.node is not None:
                for node in ast.walk(function.node):
                    if isinstance(node, ast.Attribute) and node.attr == name:
                        return function.filename, node.lineno
        return None

    def _look_at_graph(self, inputs: Any) -> None:
        """Look for the number of examples as a constant of a reshape."""
        graph = getattr(self.net, "_cached_graph", None)
        arrays = _arrays_in(inputs)
        batch = arrays[0].shape[0] if arrays and arrays[0].shape else 0
        for node in graph[1]._nodes() if graph and batch > 1 else ():
            if node.op is None or "reshape" not in node.op.name.lower():
                continue
            shape = node.params.get("shape", node.params.get("newshape"))
            if (
                isinstance(shape, list | tuple)
                and shape
                and shape[0] == batch
                and getattr(node.source, "inside", False)
            ):
                self._add(
                    "batch size", f"The reshape to {tuple(shape)} has the batch size {batch} in it as a constant.",
                    "With another number of examples it fails, or mixes values of different examples.",
                    "Write F.reshape(x, (0, -1)): 0 keeps the size that the data has.", tuple(node.source), note=True,
                )  # fmt: skip

    def _check_parts(self, inputs: Any, shapes: Any, modes: Any, seeds: Any) -> None:
        """Check the hybrid blocks in a net that is no HybridBlock itself, on what they are called on."""
        parts: list[tuple[Any, Any]] = []

        def remember(block: Any, args: Any) -> None:
            if all(block is not known for known, _ in parts):
                parts.append((block, _copied(args)))

        handles = [block.register_forward_pre_hook(remember) for block in _outermost(self.net)]
        try:
            self._call(inputs, modes[0], seeds[0], hybrid=False)
        finally:
            for handle in handles:
                handle.detach()
        for block, args in parts:
            found = check_hybridization(block, *args, modes=modes, seeds=seeds)
            self.findings.runs += [f"{block.name}: {run}" for run in found.runs]
            for mine, new in (
                (self.findings.differences, found.differences),
                (self.findings.frozen, found.frozen),
                (self.findings.notes, found.notes),
            ):
                for one in new:
                    add(mine, one)


class _Same:
    """Arguments as part of a dictionary's key: equal only to themselves."""

    def __init__(self, args: Any) -> None:
        self.args = args


def _outermost(block: Any) -> Iterator[Any]:
    for child in block._children.values():
        if isinstance(child, HybridBlock):
            yield child
        else:
            yield from _outermost(child)


def _line_of(cls: Any, method: str) -> Any:
    from ..util import is_user_file

    code = getattr(getattr(cls, method, None), "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code and is_user_file(code.co_filename) else None


# --- inputs --------------------------------------------------------------------------------------------


def _copied(args: Any) -> Any:
    if isinstance(args, NDArray):
        return wrap(type(args), args._data.copy(), args._ctx)
    if isinstance(args, list | tuple):
        return type(args)(map(_copied, args))
    return args


def _arrays_in(args: Any) -> list[Any]:
    if isinstance(args, NDArray):
        return [args]
    return [a for part in args for a in _arrays_in(part)] if isinstance(args, list | tuple) else []


def _changed(args: Any, change: Any) -> Any:
    """Return the arguments with each array replaced by ``change`` of its values."""
    if isinstance(args, NDArray):
        raw = numpy.ascontiguousarray(change(backend.asnumpy(args._data)))
        return wrap(type(args), backend.to_context(raw.astype(args.dtype, copy=False), args._ctx), args._ctx)
    if isinstance(args, list | tuple):
        return type(args)([_changed(a, change) for a in args])
    return args


def _variations(inputs: Any, shapes: Any) -> Iterator[tuple[str, Any]]:
    """Return the inputs, and others like them: (what they are, arguments)."""
    rng = numpy.random.default_rng(0)
    yield "your inputs", inputs
    arrays = _arrays_in(inputs)
    if not arrays:
        return

    def other_values(raw: numpy.ndarray) -> numpy.ndarray:
        mixed = rng.permutation(raw.ravel()).reshape(raw.shape)
        return -mixed if raw.dtype.kind == "f" else mixed

    yield "other values", _changed(inputs, other_values)
    batch = next((a.shape[0] for a in arrays if a.ndim), None)
    for count in () if not batch else (batch + 1, 2 * batch) if batch > 1 else (2,):

        def other_batch(raw: numpy.ndarray, count: int = count) -> numpy.ndarray:
            return raw[numpy.arange(count) % batch] if raw.ndim and raw.shape[0] == batch else raw

        yield f"batch size {count}", _changed(inputs, other_batch)
    for shape in shapes or ():
        several = bool(shape) and not isinstance(shape[0], int)
        wanted = iter(shape if several else [shape] * len(arrays))

        def of_shape(raw: numpy.ndarray, wanted: Any = wanted) -> numpy.ndarray:
            size = tuple(next(wanted, raw.shape))
            if raw.dtype.kind == "f" or not raw.size:
                return rng.standard_normal(size)
            return rng.choice(raw.ravel(), size)

        try:
            yield f"shape {shape}", _changed(inputs, of_shape)
        except TypeError:
            raise MXNetError(f"{shape!r} is no shape, and no list of one shape for each input") from None
