"""Exercise 06.5: an element-wise operator with a gradient."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import TracedGraph, compare, floats
from d2lhybrid.internals.course.exercises.results import Wrong, expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.support.words import translate


def _value(x: numpy.ndarray, curve: float) -> numpy.ndarray:
    return x + curve * (numpy.sqrt(x * x + 1) - 1)


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    is_there = False
    with subject.part("the kernel"):
        _check_traits(subject)
        is_there = True
    if not is_there:
        return
    for low, high in ((0.2, 0.8), (1.3, 3)):
        shape = tuple(int(n) for n in rng.integers(2, 6, int(rng.integers(1, 4))))
        curve, x = float(numpy.round(rng.uniform(low, high), 2)), floats(rng, *shape)
        where = translate("an array of shape {shape} and curve={curve}", shape=shape, curve=curve)
        with subject.part("the kernel"):
            _check_kernel(subject, x, curve, where)
        with subject.part("the shape rule"):
            _check_shapes(subject, x, curve)
        with subject.part("the gradient"):
            _check_gradient(subject, rng, x, curve, where)


def _check_traits(subject: Subject) -> None:
    if subject.ask("describe")["kind"] != "operator":
        raise Wrong("`bent` is not an operator. Is the decorator `@operator(...)` still there?")
    traits = subject.ask("operator_traits")
    expect(traits["name"] == "bent", "The operator has the name {name}, not bent.", name=traits["name"])
    expect(
        traits["inputs"] == ["data"], "The operator has the inputs {inputs}, not only data.", inputs=traits["inputs"]
    )
    expect(
        traits["attributes"] == ["curve"],
        "The operator has the attributes {attributes}, not only curve.",
        attributes=traits["attributes"],
    )


def _check_kernel(subject: Subject, x: numpy.ndarray, curve: float, where: str) -> None:
    found = subject.ask(
        "operator_kernel", translate("run on {where}", where=where), inputs=[x], attributes={"curve": curve}
    )
    expect(found["changed"] is False, "For {where}, the kernel modifies its input.", where=where)
    suspects = [(_value(x, 1.0), "it does not depend on curve.")]
    compare(
        found["result"],
        _value(x, curve).astype("float32"),
        translate("The kernel's result for {where}", where=where),
        suspects,
    )
    doing = translate("run on {where}, with another array module as `xp`,", where=where)
    other = subject.ask("operator_kernel_elsewhere", doing, inputs=[x], attributes={"curve": curve})
    compare(other, found["result"], translate("The kernel's result for {where} and another array module", where=where))


def _check_shapes(subject: Subject, x: numpy.ndarray, curve: float) -> None:
    shape = list(x.shape)
    partial = [None, *shape[1:]]
    for given in (shape, partial):
        shapes = subject.ask(
            "operator_shapes",
            translate("asked for the shape of its result, for {given}", given=given),
            shapes=[given],
            attributes={"curve": curve},
        )
        expect(
            shapes is not None,
            "The operator has no shape rule, so no shapes can be inferred in a graph that contains it.",
        )
        good = isinstance(shapes, list) and len(shapes) == 2 and shapes[1] == [given]
        expect(
            good, "For an input of shape {given}, the shape rule does not return the shape of the result.", given=given
        )


def _check_gradient(subject: Subject, rng: numpy.random.Generator, x: numpy.ndarray, curve: float, where: str) -> None:
    dy = floats(rng, *x.shape)
    gradients = subject.ask(
        "operator_gradient",
        translate("differentiated at {where}", where=where),
        dy=dy,
        inputs=[x],
        attributes={"curve": curve},
    )
    expect(gradients is not None, "The operator has no gradient rule, so a net that contains it cannot be trained.")
    expect(
        isinstance(gradients, list) and len(gradients) == 1, "The gradient rule does not return a list of one gradient."
    )
    slope = 1 + curve * x / numpy.sqrt(x * x + 1)
    suspects = [
        (slope, "it is only the derivative. Where is `dy`, the incoming gradient?"),
        (dy, "it is `dy`, the incoming gradient, unchanged."),
        (dy * (curve * x / numpy.sqrt(x * x + 1)), "a term of the sum is missing."),
        (dy * (1 + curve / numpy.sqrt(x * x + 1)), "check the derivative of the square root."),
    ]
    compare(gradients[0], dy * slope, translate("The gradient for {where}", where=where), suspects)
    graph = subject.ask("operator_gradient_graph", "differentiated with symbols", attributes={"curve": curve})
    expect(
        "symbol" in graph,
        "With symbols, the gradient rule returns a {type}, not a symbol.",
        type=graph["type"],
    )
    values = {"dy": dy, "y": _value(x, curve).astype("float32"), "data": x}
    compare(TracedGraph(graph["symbol"]).run(**values)[0], dy * slope, "The value of the gradient's graph")


_PARTS = ("the kernel", "the shape rule", "the gradient")
EXERCISE = Exercise(__name__, number="06.5", answer="bent", checker=_check, points=3, parts=_PARTS)
