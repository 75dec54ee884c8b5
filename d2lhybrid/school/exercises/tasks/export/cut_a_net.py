"""05.4: a part of a net."""

from __future__ import annotations

import numpy

from ..... import nd
from ...exercise import Exercise, Mistake
from ...judging import compare
from ...results import expect
from ...subject import Subject
from .made import SavedNet, saved_net


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    for _ in range(3):
        saved = saved_net(rng)
        symbol = saved.net._cached_graph[1]  # type: ignore[index]
        names = [n for n in symbol.get_internals().list_outputs() if n.endswith("_output")][:-1]
        name = str(rng.choice(names))
        found = subject.ask(
            "call_on_files", f"called for the output {name}", contents=saved.files, args=[name], call_with=saved.x
        )
        expect("output" in found, f"For the output `{name}` the function returns no block but a {found['type']}.")
        whole = saved.net(nd.array(saved.x)).asnumpy()
        suspects = [(whole, "it is that of the whole net.")]
        compare(
            found["output"],
            _value_of(saved, name),
            f"The output `{name}`, of an array of shape {saved.x.shape},",
            suspects,
        )


def _value_of(saved: SavedNet, name: str) -> numpy.ndarray:
    """Return an inner value, found by walking through the layers of the net."""
    from .....core.interpret import interpret

    symbol = saved.net._cached_graph[1]  # type: ignore[index]
    inner = symbol.get_internals()[name]
    values = {p.name: p.data().asnumpy() for p in saved.net.collect_params().values()}
    values["data"] = saved.x
    given = {node: values[node.name] for node in inner._nodes() if node.op is None}
    return numpy.asarray(interpret(inner._entries, given)[0])


_LOAD = "def cut(symbol_file, params_file, output):\n    symbol = sym.load(symbol_file)\n"

EXERCISE = Exercise(
    number="05.4",
    title="Half a net",
    answer="cut",
    points=2,
    task="""
A trained net is often used up to one of its inner layers only, to turn images into features. Write
`cut(symbol_file, params_file, output)`: it reads an exported net, and returns a block that computes its inner value
`output`, such as `"dense0_relu_fwd_output"`, with the parameters from the file. The input of the net is `data`.

`symbol.get_internals()` has all inner values of a symbol, under their names.
""",
    starter="""
def cut(symbol_file, params_file, output):
    ...
""",
    solution_code="""
def cut(symbol_file, params_file, output):
    symbol = sym.load(symbol_file)
    block = gluon.SymbolBlock(symbol.get_internals()[output], sym.var("data"))
    block.load_parameters(params_file, ignore_extra=True)
    return block
""",
    hints=(
        "`sym.load` reads the graph. `symbol.get_internals()` can be indexed by name.",
        "`gluon.SymbolBlock(outputs, inputs)` makes a block from a symbol and its input variable.",
        "The file has parameters of layers that are not there any more: `load_parameters(..., ignore_extra=True)`.",
    ),
    checker=_check,
    insight="A graph can be cut at any of its nodes: what is not needed for the output is not in it.",
    mistakes=(
        Mistake(
            "the whole net",
            "def cut(symbol_file, params_file, output):\n"
            "    return gluon.SymbolBlock.imports(symbol_file, ['data'], params_file)",
            "it is that of the whole net",
        ),
        Mistake(
            "extra parameters",
            _LOAD + "    block = gluon.SymbolBlock(symbol.get_internals()[output], sym.var('data'))\n"
            "    block.load_parameters(params_file)\n    return block",
            "ignore_extra",
        ),
        Mistake(
            "no parameters",
            _LOAD + "    return gluon.SymbolBlock(symbol.get_internals()[output], sym.var('data'))",
            "has not been initialized",
        ),
        Mistake(
            "fresh parameters",
            _LOAD + "    block = gluon.SymbolBlock(symbol.get_internals()[output], sym.var('data'))\n"
            "    block.initialize()\n    return block",
            "right shape and wrong values",
        ),
        Mistake("a symbol", _LOAD + "    return symbol.get_internals()[output]", "no block but a Symbol"),
        Mistake(
            "hard-coded",
            _LOAD + "    return nn.HybridLambda(lambda F, x: F.ones((3, 4)))",
            "The output `",
        ),
    ),
)
