"""Trials of a net: eager, hybridized, in training, differentiated, and as a graph that runs in the checker.

A check compares the results of a net, not its structure. The net may have its parameters in any order: the check
identifies parameters by their shapes, and by their effects if shapes are equal.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy

from ...support.display import Shown
from ...support.words import translate
from .judging import TracedGraph, compare, floats, is_close
from .results import Wrong, expect
from .subject import Subject, text_of_inputs

__all__ = ["PARTS_OF_NET", "Case", "check_net", "make_net"]

#: The parts of :func:`check_net`, in order.
PARTS_OF_NET = ("line by line", "hybridized", "in training", "as a file")

Arrays = list[numpy.ndarray]
Suspect = tuple[Callable[..., Any], str]

#: The maximum number of orders that are tried for parameters with equal shapes.
_ORDERS = 720
#: The maximum number of draws of values, which are repeated until the values reveal mistakes.
_DRAWS = 200


@dataclass(repr=False)
class Case(Shown):
    """A trial of a net: how to create it, its inputs, and the expected results.

    Attributes
    ----------
    inputs : list of list of array
        Arguments of several calls with different batch sizes. The net is trained on the arguments of the first two
        calls.
    reference : callable
        Function that takes the parameters' values (a list) and the arguments of a call, and returns the output in the
        element types of its arguments.
    args : list
        Arguments that create the net.
    shapes : list of tuple
        Shapes of the parameters, in the order of the reference; the net may have them in another order.
    weight_scale : float
        Bound of the parameters, which are drawn between ``-weight_scale`` and ``weight_scale``.
    suspects : list of (callable, str)
        Typical mistakes: functions like ``reference``, each with the message for an answer that has the same output.
    odd_shapes : dict
        The message for each shape of a parameter that results from a typical mistake.
    differentiated : bool
        Whether to compare the gradients with the reference's gradients. A task about values alone does not specify
        gradients.
    trained : int
        Minimum number of examples in a training batch, which must be large enough to reveal any dropout.
    rtol : float
        Relative tolerance of the elements of an output. For a net with few operations, the tolerance should be small,
        so that the check detects small numbers that the answer adds.
    telling : callable
        Function that takes the parameters' values, and returns whether these values reveal mistakes. If they don't, the
        check draws new values.
    """

    inputs: list[Arrays]
    reference: Callable[..., numpy.ndarray]
    args: list[Any] = field(default_factory=list)
    shapes: list[tuple[int, ...]] = field(default_factory=list)
    weight_scale: float = 1.0
    suspects: list[Suspect] = field(default_factory=list)
    odd_shapes: dict[tuple[int, ...], str] = field(default_factory=dict)
    differentiated: bool = True
    trained: int = 48
    rtol: float = 1e-3
    telling: Callable[[Arrays], bool] = lambda values: True


@dataclass(repr=False)
class Parameters(Shown):
    """The parameters of a net in a trial, in the order of the reference.

    Attributes
    ----------
    names : list of str
        Names of the parameters in the net.
    values : list of array
        Values set by the checker.
    """

    names: list[str]
    values: Arrays


def check_net(
    subject: Subject,
    rng: numpy.random.Generator,
    case: Case,
    name: str,
    graph_is_right: Callable[[TracedGraph], object] = lambda graph: None,
) -> None:
    """Check a net with random weights: eager, hybridized, in training, and as a graph that runs in the checker.

    Parameters
    ----------
    subject : Subject
        The answer, a class or a function that creates the net.
    rng : Generator
        Random generator for the weights.
    case : Case
        Description of the trial.
    name : str
        Name of the answer.
    graph_is_right : callable
        Function that takes the hybridized net's graph, and raises ``Wrong`` if further properties are missing.

    Raises
    ------
    Wrong
        For the first property that the net lacks. If the check tries all parts, failures are recorded instead.
    """
    parameters = None
    with subject.part("line by line"):
        make_net(subject, case.args, name)
        parameters = _give_values(subject, rng, case)
        _compare_calls(subject, case, parameters, translate("Line by line"))
    if parameters is None:  # there is no net to continue with
        return
    runs, graph = 0, None
    with subject.part("hybridized"):
        subject.ask("hybridize")
        runs += _compare_calls(subject, case, parameters, translate("Hybridized"))
    with subject.part("in training"):
        runs += _check_training(subject, rng, case, parameters, translate("Hybridized"), case.inputs[0])
    with subject.part("hybridized"):
        expect(
            runs <= 1,
            "Hybridized, the net ran `hybrid_forward` {runs} times in {calls} calls.",
            runs=runs,
            calls=len(case.inputs) + 1,
        )
    with subject.part("as a file"):
        data = subject.ask("graph", "asked for its graph")
        named = dict(zip(parameters.names, parameters.values, strict=True))
        graph = TracedGraph(data["symbol"], data["inputs"], {**data["parameters"], **named})
        for inputs in case.inputs:
            what = translate("The exported graph's output for {inputs}", inputs=text_of_inputs(inputs))
            _compare(graph.run(*inputs)[0], parameters, case, inputs, what)
    with subject.part("in training"):
        subject.ask("hybridize", active=False)
        again = case.inputs[min(1, len(case.inputs) - 1)]
        _check_training(subject, rng, case, parameters, translate("Line by line"), again)
    with subject.part("as a file"):
        if graph is not None:
            graph_is_right(graph)


def _compare_calls(subject: Subject, case: Case, parameters: Parameters, how: str) -> int:
    """Compare the net's outputs for all inputs, and return the number of runs of ``hybrid_forward``."""
    runs = 0
    for inputs in case.inputs:
        found = subject.ask(
            "run", translate("{how} on {inputs}", how=how.lower(), inputs=text_of_inputs(inputs)), inputs=inputs
        )
        expect(
            len(found["outputs"]) == 1,
            "{how}, the net returns {count} outputs, not one.",
            how=how,
            count=len(found["outputs"]),
        )
        _compare(
            found["outputs"][0],
            parameters,
            case,
            inputs,
            translate("{how}, the output for {inputs}", how=how, inputs=text_of_inputs(inputs)),
        )
        runs += found["runs"]
    return runs


def _compare(got: Any, parameters: Parameters, case: Case, inputs: Arrays, what: str) -> None:
    suspects = [(reference(parameters.values, *inputs), sentence) for reference, sentence in case.suspects]
    compare(got, case.reference(parameters.values, *inputs), what, suspects, case.rtol)


def make_net(subject: Subject, args: list[Any], name: str) -> None:
    """Create the answer's net, and check its type, its blocks, its parameters, and the arguments after the call."""
    made = f"{name}({', '.join(map(repr, args))})"
    net = subject.ask("make", translate("making the net with {made}", made=made), args=args)
    expect(net["type"] != "NoneType", "{made} returns None, not a net. Is a `return` missing?", made=made)
    expect(net["block"], "{made} returns a {type}, not a net.", made=made, type=net["type"])
    expect(net["changed"] is None, "{made} changes its arguments: afterwards, they are {args}.", made=made,
           args=", ".join(map(repr, net["changed"] or ())))  # fmt: skip
    expect(
        net["shared"] is False,
        "Called twice, {made} returns two nets that share parameters: every call must create its own layers.",
        made=made,
    )
    plain = [
        translate("{path} is a {kind}", path=path or translate("the net itself"), kind=kind)
        for path, kind, hybrid, *_ in net["tree"]
        if not hybrid
    ]
    expect(
        not plain,
        "These blocks of the net are not HybridBlocks: {plain}. Python still runs them.",
        plain=translate("; ").join(plain),
    )


# Identifying the parameters -----------------------------------------------------------------------------


def _give_values(subject: Subject, rng: numpy.random.Generator, case: Case) -> Parameters:
    """Set new values of the parameters, and identify each parameter."""
    first = case.inputs[0]
    where = translate("called line by line on {inputs}", inputs=text_of_inputs(first))
    found = subject.ask("start", where, inputs=first)
    if len(found) != len(case.shapes):  # the net may have constants, which are not parameters of the task
        found = [p for p in found if p["grad"] != "null"]
    shapes = [tuple(p["shape"]) for p in found]
    for shape in shapes:
        expect(
            shape not in case.odd_shapes,
            "A parameter has the shape {shape}: {reason}",
            shape=shape,
            reason=translate(case.odd_shapes.get(shape, "")),
        )
    _check_shapes(shapes, case.shapes)
    names = [p["name"] for p in found]
    orders = list(itertools.islice(_orders(shapes, case.shapes), _ORDERS))
    values: Arrays = []
    for _ in range(_DRAWS):
        values = [floats(rng, *shape, low=-case.weight_scale, high=case.weight_scale) for shape in shapes]
        if case.telling([values[i] for i in orders[0]]):
            break
    subject.ask("set_parameters", values=dict(zip(names, values, strict=True)))
    subject.ask("hybridize", active=False)
    outputs = subject.ask("run", where, inputs=first)["outputs"]
    fitting = [order for order in orders if _fits(outputs, case.reference([values[i] for i in order], *first))]
    order = (fitting or orders)[0]
    return Parameters([names[i] for i in order], [values[i] for i in order])


def _fits(outputs: Any, expected: numpy.ndarray) -> bool:
    got = outputs[0] if len(outputs) == 1 else None
    return isinstance(got, numpy.ndarray) and is_close(got, expected)


def _orders(shapes: list[tuple[int, ...]], roles: list[tuple[int, ...]]) -> Iterator[list[int]]:
    """Yield every assignment of parameters to roles of the same shape, as a list of indices in ``shapes``."""
    kinds = list(dict.fromkeys(roles))
    places = [[i for i, shape in enumerate(shapes) if shape == kind] for kind in kinds]
    for chosen in itertools.product(*(itertools.permutations(group) for group in places)):
        left = {kind: iter(group) for kind, group in zip(kinds, chosen, strict=True)}
        yield [next(left[role]) for role in roles]


def _check_shapes(shapes: list[tuple[int, ...]], expected: list[tuple[int, ...]]) -> None:
    if len(shapes) != len(expected):
        listed = translate(", ").join(map(str, shapes)) or translate("none")
        raise Wrong(
            "The net has the wrong number of parameters: {count} instead of {expected}. Their shapes: {listed}.",
            count=len(shapes),
            expected=len(expected),
            listed=listed,
        )
    odd = [shape for shape in shapes if shape not in expected]
    odd = odd or [shape for shape in shapes if shapes.count(shape) > expected.count(shape)]
    expect(not odd, "The net of the task has no parameter of shape {odd}.", odd=odd[0] if odd else "")


# Training ----------------------------------------------------------------------------------------------


def _check_training(
    subject: Subject, rng: numpy.random.Generator, case: Case, parameters: Parameters, how: str, examples: Arrays
) -> int:
    """Compare the output and gradients of a call in training mode; return the number of runs of ``hybrid_forward``."""
    inputs = [numpy.concatenate([x] * math.ceil(case.trained / len(x))) for x in examples]
    expected = case.reference(parameters.values, *inputs)
    arriving = floats(rng, *expected.shape)
    where = translate("{how}, in training mode, on {inputs}", how=how.lower(), inputs=text_of_inputs(inputs))
    found = subject.ask("run", where, inputs=inputs, train=True, gradients=True, arriving=arriving)
    _compare(found["outputs"][0], parameters, case, inputs, translate("{how}, the output in training mode", how=how))
    if not case.differentiated:
        return found["runs"]
    got = found["gradients"]
    without = [name for name in parameters.names if name not in got]
    expect(
        not without,
        "Gradients arrive at only {count} of the {all} parameters.",
        count=len(got),
        all=len(parameters.names),
    )
    arrays = [*parameters.values, *inputs]
    gradients = [*(got[name] for name in parameters.names), *found["input_gradients"]]
    labels = [*(translate("a parameter of shape {shape}", shape=v.shape) for v in parameters.values)]
    labels += (
        [translate("the input")] if len(inputs) == 1 else [translate("the first input"), translate("the second input")]
    )

    def weighed(arrays: Arrays) -> float:
        return float((case.reference(arrays[: len(parameters.values)], *arrays[len(parameters.values) :])
                      * arriving.astype("float64")).sum())  # fmt: skip

    for array, gradient, label in zip(arrays, gradients, labels, strict=True):
        shaped = isinstance(gradient, numpy.ndarray) and gradient.shape == array.shape
        expect(shaped, "{how}, the gradient of {label} has the wrong shape.", how=how, label=label)
    periods = [0] * len(parameters.values) + [len(x) for x in examples]
    if not _are_slopes(weighed, arrays, gradients, periods, rng):
        for i, label in enumerate(labels):  # find the wrong one
            good = _are_slopes(weighed, arrays, gradients, periods, rng, only=i)
            expect(good, "{how}, the gradient of {label} is wrong.", how=how, label=label)
        raise Wrong("{how}, the gradients are wrong.", how=how)
    return found["runs"]


def _are_slopes(
    function: Callable[[Arrays], float],
    arrays: Arrays,
    gradients: Arrays,
    periods: list[int],
    rng: numpy.random.Generator,
    only: int | None = None,
) -> bool:
    """Return whether gradients are the slopes of a function of several arrays in random directions.

    An array repeats itself after ``period`` rows; copies of a row move together, so that they cross a kink together.
    """
    precise = [array.astype("float64") for array in arrays]
    middle, step = function(precise), 1e-5
    for _ in range(3):
        directions = [rng.uniform(-1, 1, array.shape) for array in arrays]
        directions = [d[numpy.arange(len(d)) % n] if n else d for d, n in zip(directions, periods, strict=True)]
        directions = [d if only in (None, i) else 0 * d for i, d in enumerate(directions)]
        there = function([a + step * d for a, d in zip(precise, directions, strict=True)])
        back = function([a - step * d for a, d in zip(precise, directions, strict=True)])
        low, high = sorted([(there - middle) / step, (middle - back) / step])
        terms = [gradient * d for gradient, d in zip(gradients, directions, strict=True)]
        claimed = sum(float(t.sum()) for t in terms)
        # Close to a kink, any slope between the slopes of both sides is correct.
        margin = 3e-4 + 1e-3 * (sum(float(numpy.abs(t).sum()) for t in terms) + abs(low)) + 0.2 * (high - low)
        if not low - margin <= claimed <= high + margin:
            return False
    return True
