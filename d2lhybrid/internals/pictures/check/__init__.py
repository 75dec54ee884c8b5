"""``check_hybridization``, which compares the eager and the hybridized results of a net, and explains differences."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator, Sequence
from typing import Any

from d2lhybrid.gluon import Block, HybridBlock

from ...core.node import Node
from ...support.places import Place
from ...support.words import sentences, translate, translated_pattern
from ..traps import trap_of
from ..traps.notes import in_words
from . import chinese as _chinese  # noqa: F401  adds the translations
from .comparing import arrays_of, blame, difference, structure_of
from .findings import Finding, Findings, add
from .freezing import frozen_in, frozen_variables, traced_functions
from .inputs import batch_of, copied, variations
from .observing import Origin, Preserved, Run, noting_nodes, watched_call
from .python_state import kept_symbols
from .source_reading import Function, functions_of
from .structure import line_of_return, look_at_blocks
from .unread_calls import unseen_by

__all__ = ["Finding", "Findings", "check_hybridization"]

_RAISES = "{when}, the net raises"
_TRACED = "The net is being traced: hybrid_forward runs with Symbols, which describe a computation and have no values."
_FIRST = "The first operator whose result differs is {operator} ({calls}): {how}."
_ONLY_ONE = "The output differs, and {operator} ({calls}): {how}."
#: MXNet's warnings about unused inputs, without the final "Is this intended?".
_UNUSED = (
    "The {n}-th input to HybridBlock is not used by any computation.",
    "Parameter {names} is not used by any computation.",
)


def check_hybridization(
    net: Block,
    *inputs: Any,
    shapes: Sequence[Any] | None = None,
    modes: Sequence[str] = ("predict", "train"),
    seeds: Sequence[int] = (0, 1),
) -> Findings:
    """Compare a net in eager mode with the same net hybridized, and explain the differences.

    The check calls the net, both eagerly and hybridized, on the inputs, on other values, and on other batch sizes (if
    the net accepts them). All calls use the same random seeds. Afterward, the random generators and the net's
    parameters, states, counters, and hybridization are unchanged.

    Parameters
    ----------
    net : Block
        The net; its parameters must be initialized.
    *inputs : NDArray or nested list of NDArray
        Arguments of the net.
    shapes : sequence, optional
        Further shapes of the inputs: for each call, a shape, or a list of the shapes of all inputs.
    modes : sequence of str
        Modes of the calls, ``"predict"`` and ``"train"``; the trace uses the first mode.
    seeds : sequence of int
        Random seeds.

    Returns
    -------
    Findings
        The findings. The object is true if there are findings, and its printed form is a list of sentences. The
        attribute ``unseen`` lists code in the net that was not examined.

    Raises
    ------
    ValueError
        If ``modes`` is empty or contains an unknown mode, or if ``seeds`` is empty.
    MXNetError
        If an item of ``shapes`` is neither a shape nor a list with a shape for each input.

    Notes
    -----
    The check compares outputs of its calls, and reads the source of the net and of functions that the net
    calls. It cannot find every difference: ``docs/check_hybridization.md`` lists its limits.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> net = nn.Dense(2)
    >>> net.initialize()
    >>> check_hybridization(net, nd.ones((4, 3)))
    Dense: the eager and hybridized results are the same (10 calls compared), and nothing is frozen.
    >>> net = nn.HybridLambda(lambda F, x: F.relu(x) + x.shape[0])
    >>> check_hybridization(net, nd.ones((4, 3))).differences[0].remedy
    'Symbols have no shape: ...'
    """
    if not modes or not set(modes) <= {"predict", "train"}:
        raise ValueError(f'modes must contain "predict", "train", or both, such as ("predict",), not {modes!r}')
    if not seeds:
        raise ValueError(f"seeds must contain at least one integer, such as (0,), not {seeds!r}")
    findings = Findings(type(net).__name__)
    functions = functions_of(net)
    with Preserved(net, functions) as kept:
        _Check(net, functions, kept, findings).run(inputs, shapes, modes, seeds)
    return findings


class _Check:
    """A check of one net."""

    def __init__(self, net: Any, functions: list[Function], kept: Preserved, findings: Findings) -> None:
        self.net, self.functions, self.kept, self.findings = net, functions, kept, findings
        #: Whether the net failed in eager mode with every other batch size.
        self.fixed_batch = False
        #: Node of the trace -> its origin.
        self.origins: dict[Node, Origin] = {}

    def run(self, inputs: Any, shapes: Any, modes: Sequence[str], seeds: Sequence[int]) -> None:
        """Run the whole check, and fill the findings."""
        for found, note in look_at_blocks(self.net, self.functions):
            add(self.findings.notes if note else self.findings.differences, found)
        self.kept.remember_parameters()
        first = self._call(inputs, modes[0], seeds[0], hybrid=False)
        self.kept.remember_parameters()  # deferred parameters have values now
        if first.error is not None:
            self._report_error(first.error, translate("eagerly"), inputs)
        eager = {} if first.error is not None else self._run_eagerly(inputs, shapes, modes, seeds)
        with noting_nodes(self.origins):
            trace = self._call(inputs, modes[0], seeds[0], hybrid=True)
        for found in kept_symbols(self.kept.variables, self.functions):
            add(self.findings.differences, found)
        named = [(name, run) for (name, *_), run in eager.items()] or [(translate("with these inputs"), first)]
        for function in traced_functions(self.functions):
            for text in unseen_by(function, trace):
                if text not in self.findings.unseen:
                    self.findings.unseen.append(text)
        # Without a graph, nothing is frozen yet; the eager run shows what a trace would freeze.
        self._report_frozen(trace if trace.error is None else Run(hits=first.hits), named)
        if trace.error is not None:
            self._report_error(trace.error, translate("hybridized"), inputs)
            return
        self._report_warnings(trace)
        if first.error is not None:
            return
        again = self._call(inputs, modes[0], seeds[0], hybrid=True)
        known = self.findings.of_kind("print") or self.findings.of_kind("hook")
        if first.printed and not again.printed and not known:
            what = translate("A call prints {text}; hybridized, only the trace does.", text=repr(first.printed[:40]))
            self._add("print", what)
        for (name, args, mode, seed), run in eager.items():
            self._compare(name, args, mode, seed, run)
        self._call_twice(inputs, modes[0], seeds[0])
        self._look_at_graph(inputs)
        if not isinstance(self.net, HybridBlock):
            self._check_parts(inputs, shapes, modes, seeds)

    # --- running ---------------------------------------------------------------------------------

    def _call(
        self,
        args: Any,
        mode: str,
        seed: int,
        hybrid: bool,
        operators: bool = False,
        reset: bool = True,
        lines: bool = True,
    ) -> Run:
        if reset:
            self.kept.reset(seed)
        for block in self.kept.blocks:
            if isinstance(block, HybridBlock):
                block._active = hybrid
                block._fast_call = None
        return watched_call(self.net, copied(args), mode, self.functions, operators, lines)

    def _run_eagerly(self, inputs: Any, shapes: Any, modes: Any, seeds: Any) -> dict[Any, Run]:
        runs: dict[Any, Run] = {}
        sizes, worked = batch_of(inputs), []
        for i, (label, args) in enumerate(variations(inputs, shapes)):
            for mode in modes:
                for seed in seeds if i == 0 else seeds[:1]:
                    run = self._call(args, mode, seed, hybrid=False)
                    for found in frozen_variables(self.functions, self.kept.variables):
                        add(self.findings.frozen, found)
                    if i > 0 and batch_of(args) != sizes:
                        worked.append(run.error is None)
                    if run.error is None:
                        name = translate(
                            "{inputs}, {mode} mode, seed {seed}", inputs=label, mode=translate(mode), seed=seed
                        )
                        runs[name, _Same(args), mode, seed] = run
                    elif i == 0:
                        self._report_error(run.error, translate("eagerly, in {mode} mode", mode=translate(mode)), args)
        self.fixed_batch = bool(worked) and not any(worked)
        return runs

    def _call_twice(self, inputs: Any, mode: str, seed: int) -> None:
        """Check whether Python variables that change between two calls affect the outputs."""
        counters = self.findings.of_kind("counter")
        if not counters:
            return
        self._call(inputs, mode, seed, hybrid=False)
        second = self._call(inputs, mode, seed, hybrid=False, reset=False)
        self._call(inputs, mode, seed, hybrid=True)
        hybrid = self._call(inputs, mode, seed, hybrid=True, reset=False)
        pairs = zip(arrays_of(second.out), arrays_of(hybrid.out), strict=False)
        found = next((d for a, b in pairs if (d := difference(a, b)) is not None), None)
        if found is not None:
            cause = counters[0]
            what = translate("The output of the second call differs: {how}.", how=found[1])
            self._add(
                found[0],
                what,
                sentences(cause.what, cause.why),
                cause.remedy,
                (cause.filename, cause.line),
                page=cause.page,
            )

    # --- reports ---------------------------------------------------------------------------------

    def _add(
        self,
        kind: str,
        what: str,
        why: str = "",
        remedy: str = "",
        place: tuple[str | None, int] | None = None,
        note: bool = False,
        page: str = "",
    ) -> None:
        found = self.findings.notes if note else self.findings.differences
        filename, line = place or (None, 0)
        add(found, Finding(kind, what, why, remedy, filename, line, page=page))

    def _report_error(self, error: Exception, when: str, args: Any) -> None:
        kind, notes = "error", list(getattr(error, "__notes__", []))
        message = " ".join(str(error).split())[:300]
        tracing = [n for n in notes if n.startswith("while tracing")]
        remedies = [n for n in notes if not n.startswith(("while tracing", "in ", "made by "))]
        others = [n for n in notes if n.startswith("in ")]
        place = self._place_of(error, tracing)
        remedy = sentences(*map(in_words, remedies))
        if "argument structure" in message or ("HybridBlock input must be" in message and not remedies):
            remedy = remedy or translate(
                "The inputs of a block must be arrays. Pass numbers and strings to its constructor."
            )
        if "has not been initialized" in message and not self.findings.of_kind("unregistered"):
            remedy = translate("Call net.initialize() first.")
        elif not remedy and place is not None and (isinstance(error, TypeError) or "number of dimension" in message):
            remedy = translate("In hybrid_forward, use the operators of F: they take arrays and Symbols.")
        before = next((f for f in self.findings.differences if f.kind == kind and message in f.what), None)
        # A line that raised an error froze no value.
        self.findings.frozen = [f for f in self.findings.frozen if (f.filename, f.line) != place]
        if before is not None:
            once = translate(_RAISES, when=translate("eagerly"))
            both = translate(_RAISES, when=translate("eagerly and hybridized"))
            before.what = before.what.replace(once, both)
            return
        why = sentences(*map(in_words, others))
        if tracing:
            why = translate(_TRACED)
        known = trap_of(error)
        page = "" if known is None else known.number
        what = f"{translate(_RAISES, when=when)} {type(error).__name__}: {message}"
        self._add(kind, what, why, remedy, place, page=page)

    def _place_of(self, error: BaseException, tracing: list[str]) -> Place | None:
        codes = {f.filename for f in self.functions}
        place = None
        for frame, line in traceback.walk_tb(error.__traceback__):
            if frame.f_code.co_filename in codes:
                place = Place(frame.f_code.co_filename, line, frame.f_code.co_qualname)
        if place is None and error.__cause__ is not None:
            place = self._place_of(error.__cause__, [])
        if place is None and tracing:
            match = re.search(r'File "(.*?)", line (\d+)', tracing[-1])
            place = Place(match[1], int(match[2])) if match else None
        match = re.search(r"Error in operator (\w+)", str(error))
        graph = getattr(self.net, "_cached_graph", None)
        if match and graph:
            place = next((n.source for n in graph[1]._nodes() if n.name == match[1] and n.source), place)
        return place

    def _report_frozen(self, trace: Run, eager: list[tuple[str, Run]]) -> None:
        changing = {f.name for f in self.findings.frozen if f.kind == "counter"}
        kept = {f.name for f in self.findings.differences if f.kind == "kept"}
        for found in frozen_in(self.functions, trace, eager):
            if found.kind == "kept" and found.name in kept:
                continue  # a Symbol of this trace, which is read where it was set
            if found.kind in ("random", "time"):
                found.value = self._constants_at(found.filename, found.line)
                here = translate("Here: {value}.", value=found.value) if found.value else ""
                found.what = sentences(found.what, here)
            name = found.name.rpartition(".")[2]
            if found.kind not in ("attribute", "variable") or not {name, f"self.{name}"} & changing:
                add(self.findings.frozen, found)
        files = list(dict.fromkeys(found.filename for found in self.findings.frozen))
        self.findings.frozen.sort(key=lambda found: (files.index(found.filename), found.line))

    def _constants_at(self, filename: str | None, line: int) -> str:
        """Return the constants in the graph that a line of user code created."""
        graph = getattr(self.net, "_cached_graph", None)
        nodes = [n for n in graph[1]._nodes() if n.source == (filename, line)] if graph else []
        return ", ".join(f"{n.op.name} {n.params['scalar']:.6g}" for n in nodes if n.op and "scalar" in n.params)

    def _report_warnings(self, trace: Run) -> None:
        for warning in trace.warned:
            text = str(warning.message)
            if text.startswith("In a hybridized block, "):
                what, _, rest = text.partition(". ")
                run, _, remedy = rest.partition(". ")
                what, run = translate(f"{what}."), translate(f"{run}.")
                self._add("silent", what, run, translate(remedy), (warning.filename, warning.lineno))
            elif "not used by any computation" in text:
                method = next((f for f in self.functions if f.function.__name__ == "hybrid_forward"), None)
                code = None if method is None else method.function.__code__
                text = text.replace("Is this intended?", "").replace("-th, ", ", ").strip()
                self._add(
                    "unused", translated_pattern(text, _UNUSED),
                    translate("The graph contains only what its outputs depend on."),
                    translate("Remove the unused input or parameter, or use it. Perhaps a name is misspelled."),
                    None if code is None else (code.co_filename, code.co_firstlineno), note=True,
                )  # fmt: skip

    def _compare(self, name: str, args: Any, mode: str, seed: int, eager: Run) -> None:
        args = args.args
        hybrid = self._call(args, mode, seed, hybrid=True, lines=False)
        if hybrid.error is not None:
            self._report_error(hybrid.error, translate("hybridized ({calls})", calls=name), args)
            return
        self.findings.runs.append(name)
        left, right = arrays_of(eager.out), arrays_of(hybrid.out)
        if len(left) != len(right):
            what = "The net has {eager} outputs eagerly, but {hybrid} hybridized ({calls})."
            self._add("outputs", translate(what, eager=len(left), hybrid=len(right), calls=name))
            return
        nested = structure_of(eager.out), structure_of(hybrid.out)
        if nested[0] != nested[1]:
            self._add(
                "structure",
                translate("Eagerly, the net returns {eager}; hybridized, it returns {hybrid}.", eager=nested[0],
                          hybrid=nested[1]),
                translate("A graph has a flat list of outputs. The net nests the outputs again, in lists, not "
                          "tuples."),
                translate("Do not rely on a tuple: unpack the result, or index it."),
                line_of_return(self.net, self.functions), note=True,
            )  # fmt: skip
        found = next((d for d in map(difference, left, right) if d is not None), None)
        if found is not None:
            self._explain(name, args, mode, seed, found)

    def _explain(self, name: str, args: Any, mode: str, seed: int, found: tuple[str, str]) -> None:
        kind, text = found
        if not isinstance(self.net, HybridBlock) or self.net._cached_graph is None:
            what = translate("An output differs ({calls}): {how}.", calls=name, how=text)
            self._add(kind, what, translate("The parts of the net are checked one by one."))
            return
        run = self._call(args, mode, seed, hybrid=False, operators=True)
        outputs = arrays_of(run.out)
        self.kept.reset(seed)
        culprit = blame(self.net, copied(args), mode, run.records, outputs, self.origins)
        if not culprit.confirmed:
            nodes = self.net._cached_graph[1]._nodes()
            if any(n.op is not None and n.op.uses_generator for n in nodes):
                return  # the same random operators, in another order of draws
            self._add(
                kind, f"An output differs ({name}): {text}.",
                "The graph is right: when it runs operator by operator, it computes the outputs of hybrid_forward. The "
                "compiled program computes different outputs.",
                "This is a bug in the compiler. Report it, and include this net.",
            )  # fmt: skip
            return
        origin, operator = culprit.origin or Origin(None), culprit.operator
        if origin.layer:
            operator = translate("{operator} in layer {layer}", operator=operator, layer=repr(origin.layer))
        what = translate(_ONLY_ONE if culprit.only_one else _FIRST, operator=operator, calls=name, how=culprit.text)
        why, remedy, line, page = self._reason(origin.place if origin.inside else None)
        self._add(culprit.kind, what, why, remedy, line, page=page)

    def _reason(self, place: Place | None) -> tuple[str, str, Any, str]:
        """Return the reason why an operator at a line has another value, the remedy, the line to cite, and the page."""
        candidates = [*self.findings.of_kind("silent"), *self.findings.frozen]
        here = [f for f in candidates if (f.filename, f.line) == place]
        order = {"silent": 0, "branch": 1, "loop": 1}
        here.sort(key=lambda f: (not f.differs and f.kind != "silent", order.get(f.kind, 2)))
        anywhere = [f for f in candidates if f.differs or f.kind == "silent"]
        for cause in [*here[:1], *anywhere]:
            line = place or (cause.filename, cause.line)
            why = sentences(cause.what, cause.why)
            if (cause.filename, cause.line) != line:
                why = translate("{why} (line {line})", why=why, line=cause.line)
            return why, cause.remedy, line, cause.page
        return (
            translate("The same line has different effects on Symbols and on arrays, "
                      "or uses a value that Python computed."),
            translate("Use the operators of F instead, which do the same for both."), place, "",
        )  # fmt: skip

    # --- the graph, and the blocks of the net --------------------------------------------------------

    def _look_at_graph(self, inputs: Any) -> None:
        """Add findings about reshapes that contain the batch size as a constant."""
        graph = getattr(self.net, "_cached_graph", None)
        batch = batch_of(inputs)
        for node in graph[1]._nodes() if graph and batch > 1 else ():
            if node.op is None or not ("reshape" in node.op.name.lower() or self.fixed_batch):
                continue
            shape = node.params.get("shape", node.params.get("newshape"))
            if (
                isinstance(shape, list | tuple)
                and shape
                and shape[0] == batch
                and node in self.origins
                and self.origins[node].inside
            ):
                if "reshape" not in node.op.name.lower():
                    self._add(
                        "batch size",
                        translate("{operator} creates an array of shape {shape}, which contains the batch size {n} as "
                                  "a constant.", operator=node.op.name, shape=tuple(shape), n=batch),
                        translate("With another number of examples, the net fails, or mixes values of different "
                                  "examples."),
                        translate("Write F.ones_like(x), F.zeros_like(x), or F.broadcast_like."),
                        node.source, note=True,
                    )  # fmt: skip
                    continue
                self._add(
                    "batch size",
                    translate("The reshape to {shape} contains the batch size {n} as a constant.", shape=tuple(shape),
                              n=batch),
                    translate("With another number of examples, the net fails, or mixes values of different "
                                  "examples."),
                    translate("Write F.reshape(x, (0, -1)): 0 keeps the size of the data."),
                    node.source, note=True,
                )  # fmt: skip

    def _check_parts(self, inputs: Any, shapes: Any, modes: Any, seeds: Any) -> None:
        """Check the hybrid blocks in a net that is not a HybridBlock, with the inputs of their calls."""
        parts: list[tuple[Any, Any]] = []

        def remember(block: Any, args: Any) -> None:
            if all(block is not known for known, _ in parts):
                parts.append((block, copied(args)))

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
            self.findings.unseen += [text for text in found.unseen if text not in self.findings.unseen]


class _Same:
    """Arguments as part of a dictionary key, compared by identity."""

    def __init__(self, args: Any) -> None:
        self.args = args


def _outermost(block: Any) -> Iterator[Any]:
    for child in block._children.values():
        if isinstance(child, HybridBlock):
            yield child
        else:
            yield from _outermost(child)
