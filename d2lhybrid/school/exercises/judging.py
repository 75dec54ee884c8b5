"""What checks share: comparing arrays, running graphs, trying nets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy

from ...core.interpret import interpret
from ...errors import MXNetError
from ...symbol.file import load_json
from .results import Wrong, expect
from .subject import Subject, text_of_inputs

__all__ = ["Case", "TracedGraph", "check_choices", "check_net", "compare", "floats"]


def floats(rng: numpy.random.Generator, *shape: int, low: float = -2, high: float = 2) -> numpy.ndarray:
    """Return a fresh random float32 array."""
    return rng.uniform(low, high, shape).astype("float32")


Suspect = tuple[Callable[..., Any], str]


def compare(got: Any, expected: numpy.ndarray, what: str, suspects: Sequence[tuple[Any, str]] = ()) -> None:
    """Raise ``Wrong`` if an array is not what it should be; the message does not say what that is.

    Parameters
    ----------
    got : object
        What came back.
    expected : array
        What should have.
    what : str
        Which result, of which input: the message begins with it.
    suspects : sequence of (array, str)
        What typical mistakes give, and what to say of each.
    """
    if not isinstance(got, numpy.ndarray):
        raise Wrong(f"{what} is no array but {_kind(got)}.")
    if _is_close(got, expected):
        return
    for value, sentence in suspects:
        if _is_close(got, numpy.asarray(value)):
            raise Wrong(f"{what} is wrong: {sentence}")
    if got.shape != expected.shape:
        raise Wrong(f"{what} has the wrong shape: {got.shape}.")
    if got.dtype.kind in "f" and numpy.isnan(got).any() and not numpy.isnan(expected).any():
        raise Wrong(f"{what} contains nan.")
    close = numpy.isclose(got, expected, rtol=1e-3, atol=1e-4, equal_nan=True)
    place = tuple(int(i) for i in numpy.argwhere(~close)[0])
    share = f"{int((~close).sum())} of {close.size} elements"
    raise Wrong(f"{what} has the right shape and wrong values: {share} are off, the first at {list(place)}.")


def _is_close(got: numpy.ndarray, expected: numpy.ndarray) -> bool:
    return got.shape == expected.shape and numpy.allclose(got, expected, rtol=1e-3, atol=1e-4, equal_nan=True)


def _kind(value: Any) -> str:
    return str(value) if hasattr(value, "type_name") else f"a {type(value).__name__}"


class TracedGraph:
    """A graph that an answer made: read here, and run here, by the slow interpreter.

    Parameters
    ----------
    symbol : str
        The graph, as in a file.
    inputs : sequence of str
        The variables that are data, in order.
    parameters : dict, optional
        Values of the others.
    """

    def __init__(self, symbol: Any, inputs: Sequence[str] = (), parameters: dict[str, Any] | None = None) -> None:
        try:
            self.symbol = load_json(symbol)
        except (MXNetError, TypeError, ValueError, RecursionError) as error:
            raise Wrong(f"The graph cannot be read: {error}") from None
        self.inputs, self.parameters = list(inputs), dict(parameters or {})

    @property
    def operators(self) -> list[str]:
        """The operators' names, inputs before users."""
        return [node.op.name for node in self.symbol._nodes() if node.op is not None]

    @property
    def variables(self) -> list[str]:
        """The names of all variables."""
        return self.symbol.list_inputs()

    def run(self, *inputs: numpy.ndarray, **more: numpy.ndarray) -> list[numpy.ndarray]:
        """Return the outputs for these inputs."""
        values = {**self.parameters, **dict(zip(self.inputs, inputs, strict=False)), **more}
        nodes = [node for node in self.symbol._nodes() if node.op is None]
        missing = [node.name for node in nodes if node.name not in values]
        expect(not missing, f"The graph has variables that are neither inputs nor parameters: {missing}.")
        given = {node: numpy.asarray(values[node.name]) for node in nodes}
        try:
            return [numpy.asarray(v) for v in interpret(self.symbol._entries, given)]
        except Exception as error:
            raise Wrong(f"The graph cannot be run on {text_of_inputs(inputs)}: {error}") from None


@dataclass
class Case:
    """One trial of a net: how to make it, what to call it on, what should come out.

    Attributes
    ----------
    inputs : list of list of array
        The arguments of several calls, of different batch sizes.
    reference : callable
        Gets the parameters' values as a list, then the arguments of a call; returns the output.
    args : list
        Arguments that the net is made with.
    shapes : list of tuple, optional
        What shapes the parameters should have, in any order.
    weight_scale : float
        The parameters are drawn from this range around zero.
    suspects : list of (callable, str)
        Typical mistakes: references of the same form, and what to say of an output that is like theirs.
    odd_shapes : dict
        Shapes of parameters that typical mistakes give, and what to say of each.
    """

    inputs: list[list[numpy.ndarray]]
    reference: Callable[..., numpy.ndarray]
    args: list[Any] = field(default_factory=list)
    shapes: list[tuple[int, ...]] | None = None
    weight_scale: float = 1.0
    suspects: list[Suspect] = field(default_factory=list)
    odd_shapes: dict[tuple[int, ...], str] = field(default_factory=dict)


def check_net(subject: Subject, rng: numpy.random.Generator, case: Case, name: str) -> TracedGraph:
    """Try a net with fresh weights: line by line, hybridized, and as a graph that is run here.

    Parameters
    ----------
    subject : Subject
        The answer: a class or a function that makes the net.
    rng : Generator
        For the weights.
    case : Case
        The trial.
    name : str
        What the answer is called.

    Returns
    -------
    TracedGraph
        The graph of the hybridized net.
    """
    made = f"{name}({', '.join(map(repr, case.args))})"
    net = subject.ask("make", f"making the net with {made}", args=case.args)
    expect(net["block"], f"{made} gives no net but a {net['type']}.")
    plain = [f"{path or 'the net itself'} is a {kind}" for path, kind, hybrid, *_ in net["tree"] if not hybrid]
    expect(not plain, f"Not everything in the net is a HybridBlock: {'; '.join(plain)}. The rest stays in Python.")
    first = case.inputs[0]
    parameters = subject.ask("start", f"called line by line on {text_of_inputs(first)}", inputs=first)
    shapes = [tuple(p["shape"]) for p in parameters]
    if case.shapes is not None:
        for shape in shapes:
            expect(shape not in case.odd_shapes, f"A parameter has the shape {shape}: {case.odd_shapes.get(shape)}")
        _check_shapes(shapes, case.shapes)
    values = [floats(rng, *shape, low=-case.weight_scale, high=case.weight_scale) for shape in shapes]
    named = {p["name"]: value for p, value in zip(parameters, values, strict=True)}
    subject.ask("set_parameters", values=named)

    def compare_calls(how: str, count: int) -> int:
        runs = 0
        for inputs in case.inputs[:count]:
            where = f"{how.lower()} on {text_of_inputs(inputs)}"
            found = subject.ask("run", where, inputs=inputs)
            expect(len(found["outputs"]) == 1, f"{how}, the net returns {len(found['outputs'])} outputs.")
            suspects = [(reference(values, *inputs), sentence) for reference, sentence in case.suspects]
            what = f"{how}, the output for {text_of_inputs(inputs)}"
            compare(found["outputs"][0], case.reference(values, *inputs), what, suspects)
            runs += found["runs"]
        return runs

    compare_calls("Line by line", len(case.inputs))
    subject.ask("hybridize")
    runs = compare_calls("Hybridized", len(case.inputs))
    expect(runs <= 1, f"Hybridized, `hybrid_forward` ran {runs} times in {len(case.inputs)} calls.")
    data = subject.ask("graph", "asked for its graph")
    graph = TracedGraph(data["symbol"], data["inputs"], named)
    last = case.inputs[-1]
    outputs = graph.run(*last)
    compare(outputs[0], case.reference(values, *last), f"The exported graph's output for {text_of_inputs(last)}")
    return graph


def _check_shapes(shapes: list[tuple[int, ...]], expected: list[tuple[int, ...]]) -> None:
    if len(shapes) != len(expected):
        listed = ", ".join(map(str, shapes)) or "none"
        raise Wrong(f"The net has {len(shapes)} parameters, of shapes {listed}: that is not what the task describes.")
    odd = [shape for shape in shapes if shape not in expected]
    odd = odd or [shape for shape in shapes if shapes.count(shape) > expected.count(shape)]
    expect(not odd, f"A parameter of shape {odd[0] if odd else ''} does not belong to the net of the task.")


def check_choices(subject: Subject, right: dict[str, Any], reasons: dict[str, dict[Any, str]]) -> None:
    """Check a table of choices, line by line.

    Parameters
    ----------
    subject : Subject
        The answer: a dictionary.
    right : dict
        Line -> right choice.
    reasons : dict
        Line -> what to think about, for each wrong choice; ``...`` for all others.
    """
    got = subject.ask("value")
    if not isinstance(got, dict):
        raise Wrong(f"The answer is to be a dictionary, not {_kind(got)}.")
    missing = [line for line in right if got.get(line) is None or got.get(line) is Ellipsis]
    expect(not missing, f"There is no answer yet for {', '.join(missing)}.")
    for line, choice in right.items():
        given = got[line]
        if given != choice:
            about = reasons.get(line, {})
            key = given if isinstance(given, str | int) and given in about else ...
            raise Wrong(f"{line}: {about.get(key, 'this is not so.')}")
