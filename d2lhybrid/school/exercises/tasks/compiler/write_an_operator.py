"""06.5: an operator."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import compare, floats
from ...results import Wrong, expect
from ...subject import Subject


def _value(x: numpy.ndarray, curve: float) -> numpy.ndarray:
    return x + curve * (numpy.sqrt(x * x + 1) - 1)


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    if subject.ask("describe")["kind"] != "operator":
        raise Wrong("`bent` is no operator. Is the decorator `@operator(...)` still there?")
    traits = subject.ask("operator_traits")
    expect(traits["inputs"] == ["data"], f"The operator has the inputs {traits['inputs']}, not data alone.")
    expect(
        traits["attributes"] == ["curve"], f"The operator has the attributes {traits['attributes']}, not curve alone."
    )
    for _ in range(2):
        shape = tuple(int(n) for n in rng.integers(2, 6, int(rng.integers(1, 4))))
        curve, x = float(numpy.round(rng.uniform(0.2, 3), 2)), floats(rng, *shape)
        where = f"an array of shape {shape} and curve={curve}"
        found = subject.ask("operator_kernel", f"run on {where}", inputs=[x], attributes={"curve": curve})
        expect(found["changed"] is False, f"For {where} the kernel writes into its input.")
        suspects = [(_value(x, 1.0), "it does not depend on curve.")]
        compare(found["result"], _value(x, curve).astype("float32"), f"The kernel's result for {where}", suspects)
        _check_rules(subject, rng, x, curve, where)


def _check_rules(subject: Subject, rng: numpy.random.Generator, x: numpy.ndarray, curve: float, where: str) -> None:
    shape = list(x.shape)
    partial = [None, *shape[1:]]
    for given in (shape, partial):
        shapes = subject.ask(
            "operator_shapes",
            f"asked for the shape of its result, for {given}",
            shapes=[given],
            attributes={"curve": curve},
        )
        expect(shapes is not None, "The operator has no shape rule: a graph with it has no shapes.")
        good = isinstance(shapes, list) and len(shapes) == 2 and shapes[1] == [given]
        expect(good, f"For an input of shape {given} the shape rule does not give the shape of the result.")
    dy = floats(rng, *x.shape)
    gradients = subject.ask(
        "operator_gradient", f"differentiated at {where}", dy=dy, inputs=[x], attributes={"curve": curve}
    )
    expect(gradients is not None, "The operator has no gradient rule: a net with it cannot be trained.")
    expect(isinstance(gradients, list) and len(gradients) == 1, "The gradient rule returns no list of one gradient.")
    slope = 1 + curve * x / numpy.sqrt(x * x + 1)
    suspects = [
        (slope, "it is the derivative alone. What arrives from above?"),
        (dy, "it is what arrives from above, unchanged."),
        (dy * (curve * x / numpy.sqrt(x * x + 1)), "a part of the sum is missing."),
        (dy * (1 + curve / numpy.sqrt(x * x + 1)), "check the derivative of the square root."),
    ]
    compare(gradients[0], dy * slope, f"The gradient for {where}", suspects)


_HEAD = (
    "from __future__ import annotations\nfrom d2lhybrid.ops import rules\n"
    "from d2lhybrid.core.operator import Array, operator\n\n\n"
    '@operator("bent", elementwise=True)\ndef bent(xp, data: Array, curve: float = 1.0):\n'
)
_KERNEL = "    return data + curve * (xp.sqrt(data * data + 1) - 1)\n\n\n"
_SHAPE = "bent.infer_shape(rules.same)\nbent.infer_type(rules.same_type)\n\n\n"
_GRADIENT = "@bent.gradient\ndef _(F, dy, y, data, *, curve):\n"
_RULE = "    return [dy * (data / F.sqrt(data * data + 1) * curve + 1)]\n"

EXERCISE = Exercise(
    number="06.5",
    title="Write an operator",
    answer="bent",
    points=3,
    task="""
Write the operator `bent`, for one array `data` and one number `curve`, element by element:

`y = data + curve * (sqrt(data * data + 1) - 1)`

It needs three things: the kernel, a function of `xp` (the array module, NumPy or CuPy) and raw arrays; the shape rule;
and the gradient rule, written against `F`, so that it runs on arrays and on symbols alike. In the gradient rule `dy`
is the gradient that arrives at the result `y`, and what is returned is a list with one gradient for each input.

The section "An operator" of CONTRIBUTING.md has an example. The operator's own name appears twice: in the decorator and
as the function.
""",
    starter=_HEAD + "    ...\n",
    solution_code=_HEAD + _KERNEL + _SHAPE + _GRADIENT + _RULE,
    hints=(
        "The kernel is the formula, with `xp.sqrt`.",
        "The result has the shape of the input: `bent.infer_shape(rules.same)`; and its type: "
        "`bent.infer_type(rules.same_type)`.",
        "The derivative of `sqrt(x * x + 1)` is `x / sqrt(x * x + 1)`. And the derivative of `x` itself is 1.",
        "`@bent.gradient` over `def _(F, dy, y, data, *, curve):`. The chain rule: what arrives, times the derivative.",
    ),
    checker=_check,
    insight="Kernel, shape, gradient: with these three the tape, the graph, the compiler and the files know your "
    "operator.",
    mistakes=(
        Mistake(
            "a plain function",
            "def bent(xp, data, curve=1.0):\n    return data + curve * (xp.sqrt(data * data + 1) - 1)",
            "Is the decorator",
        ),
        Mistake("no shape rule", _HEAD + _KERNEL + _GRADIENT + _RULE, "has no shape rule"),
        Mistake("no gradient", _HEAD + _KERNEL + _SHAPE, "has no gradient rule"),
        Mistake(
            "ignores curve",
            _HEAD + "    return data + xp.sqrt(data * data + 1) - 1\n\n\n" + _SHAPE + _GRADIENT + _RULE,
            "does not depend on curve",
        ),
        Mistake(
            "no chain rule",
            _HEAD + _KERNEL + _SHAPE + _GRADIENT + _RULE.replace("dy * ", ""),
            "What arrives from above",
        ),
        Mistake(
            "a part is missing",
            _HEAD + _KERNEL + _SHAPE + _GRADIENT + "    return [dy * (data / F.sqrt(data * data + 1) * curve)]\n",
            "a part of the sum is missing",
        ),
        Mistake(
            "no inner derivative",
            _HEAD + _KERNEL + _SHAPE + _GRADIENT + "    return [dy * (curve / F.sqrt(data * data + 1) + 1)]\n",
            "check the derivative of the square root",
        ),
        Mistake(
            "no list",
            _HEAD + _KERNEL + _SHAPE + _GRADIENT + "    return dy * (data / F.sqrt(data * data + 1) * curve + 1)\n",
            "no list of one gradient",
        ),
        Mistake(
            "writes into its input",
            _HEAD
            + "    data += curve * (xp.sqrt(data * data + 1) - 1)\n    return data\n\n\n"
            + _SHAPE
            + _GRADIENT
            + _RULE,
            "writes into its input",
        ),
        Mistake(
            "hard-coded",
            _HEAD + "    return xp.ones((2, 3))\n\n\n" + _SHAPE + _GRADIENT + _RULE,
            "The kernel's result",
        ),
    ),
)
