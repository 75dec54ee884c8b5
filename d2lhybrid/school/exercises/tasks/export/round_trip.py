"""05.1: out of Python, and back."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import compare, floats
from ...results import expect
from ...subject import Subject


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    features, hidden, classes, rows = (int(n) for n in rng.choice(numpy.arange(2, 12), 4, replace=False))
    weights = [floats(rng, *s, low=-1, high=1) for s in ((hidden, features), (hidden,), (classes, hidden), (classes,))]
    x, scale = floats(rng, rows, features), float(rng.uniform(0.5, 1.5))
    found = subject.ask("round_trip", "called with a net that has run once", weights=weights, x=x, scale=scale)
    names = sorted(found["files"])
    expect(bool(names), "Nothing was written below the given path.")
    expect(
        any(n.endswith("-symbol.json") for n in names) and any(n.endswith(".params") for n in names),
        f"Of the two files of an exported net, there is only {', '.join(names)}.",
    )
    expect("output" in found, f"The function returns no block but a {found['type']}.")
    y = numpy.tanh(scale * x @ weights[0].T + weights[1]) @ weights[2].T + weights[3]
    zeros = numpy.zeros_like(y)
    changed = "when the parameters of the old net are set to zero, those of the returned block are zero, too."
    compare(found["output"], y, f"The returned block's output for an array of shape {x.shape}", [(zeros, changed)])


EXERCISE = Exercise(
    number="05.1",
    title="Out of Python, and back",
    answer="save_and_load",
    task="""
Write `save_and_load(net, x, path)`. `net` is an initialized net, `x` an input for it. The function writes the net to
two files whose names begin with `path`, and returns a block that it has read from these files: one that computes the
same, and has nothing to do with the old net.
""",
    starter="""
def save_and_load(net, x, path):
    ...
""",
    solution_code="""
def save_and_load(net, x, path):
    net.hybridize()
    net(x)
    net.export(path)
    return gluon.SymbolBlock.imports(path + "-symbol.json", ["data"], path + "-0000.params")
""",
    hints=(
        "`net.export(path)` writes the graph. From when on is there a graph?",
        "`hybridize()`, then one call, then `export`.",
        'The files are `path-symbol.json` and `path-0000.params`; the input of the graph is called `"data"`. See '
        "`gluon.SymbolBlock.imports?`.",
    ),
    checker=_check,
    insight="The class of the net was not needed to read it: the file holds the computation itself.",
    mistakes=(
        Mistake(
            "export without a call",
            "def save_and_load(net, x, path):\n    net.hybridize()\n    net.export(path)\n"
            "    return gluon.SymbolBlock.imports(path + '-symbol.json', ['data'], path + '-0000.params')",
            "Please first call block.hybridize()",
        ),
        Mistake(
            "returns the old net",
            "def save_and_load(net, x, path):\n    net.hybridize()\n    net(x)\n    net.export(path)\n    return net",
            "the returned block are zero, too",
        ),
        Mistake(
            "parameters only",
            "def save_and_load(net, x, path):\n    net.save_parameters(path + '.params')\n    return net",
            "there is only model.params",
        ),
        Mistake("writes nothing", "def save_and_load(net, x, path):\n    return net", "Nothing was written"),
        Mistake(
            "forgets the parameters",
            "def save_and_load(net, x, path):\n    net.hybridize()\n    net(x)\n    net.export(path)\n"
            "    return gluon.SymbolBlock.imports(path + '-symbol.json', ['data'])",
            "has not been initialized",
        ),
        Mistake(
            "returns nothing",
            "def save_and_load(net, x, path):\n    net.hybridize()\n    net(x)\n    net.export(path)",
            "no block but a NoneType",
        ),
        Mistake(
            "hard-coded",
            "def save_and_load(net, x, path):\n    net.hybridize()\n    net(x)\n    net.export(path)\n"
            "    block = nn.HybridLambda(lambda F, x: x * 0 + 1)\n    return block",
            "The returned block's output",
        ),
    ),
)
