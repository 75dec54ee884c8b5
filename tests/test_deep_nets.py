"""What a net of many layers costs grows with their number, and not with its square: calls of functions are counted."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd, sym
from d2lhybrid.gluon import nn

FEW, TIMES = 40, 4


def net_of(layers: int) -> Any:
    net = nn.HybridSequential()
    for _ in range(layers):
        net.add(nn.Dense(2, activation="relu", in_units=2))
    net.initialize()
    return net


def graph_of(layers: int) -> Any:
    made = sym.var("data")
    for i in range(layers):
        made = sym.Activation(sym.FullyConnected(made, num_hidden=2, name=f"fc{i}"), act_type="relu")
    return made


def trained(layers: int, hybrid: bool = False) -> tuple[Any, Any, Callable[[], None]]:
    """Return a net, its trainer, and a step of training that has run twice."""
    net = net_of(layers)
    if hybrid:
        net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "adam")

    def step() -> None:
        with autograd.record():
            loss = net(nd.ones((1, 2))).sum()
        loss.backward()
        trainer.step(1)

    step()
    step()
    return net, trainer, step


def module_of(layers: int) -> Any:
    module = mx.mod.Module(graph_of(layers), label_names=[])
    module.bind([("data", (1, 2))])
    module.init_params()
    return module


def exported(layers: int, folder: Path) -> list[Any]:
    net = net_of(layers)
    net.hybridize()
    net(nd.ones((1, 2)))
    net.export(str(folder / str(layers)))
    return [str(folder / f"{layers}-symbol.json"), ["data"], str(folder / f"{layers}-0000.params")]


def states(layers: int, folder: Path) -> Callable[[], None]:
    _, trainer, _ = trained(layers)
    trainer.save_states(str(folder / f"{layers}.states"))
    return lambda: trainer.load_states(str(folder / f"{layers}.states"))


def first_call(layers: int) -> Callable[[], Any]:
    net = net_of(layers)
    net.hybridize()
    return lambda: net(nd.ones((1, 2)))


def first_step(layers: int) -> Callable[[], None]:
    net = net_of(layers)
    net.hybridize()

    def step() -> None:
        with autograd.record():
            y = net(nd.ones((1, 2)))
        y.backward()

    return step


def composed(layers: int, folder: Path) -> Callable[[], Any]:
    block = gluon.SymbolBlock.imports(*exported(layers, folder))
    return lambda: block(sym.var("x"))


def backward_of_executor(layers: int) -> Callable[[], None]:
    executor = graph_of(layers).simple_bind(mx.cpu(), data=(1, 2))

    def step() -> None:
        executor.forward(is_train=True)
        executor.backward(executor.outputs)

    return step


def chain(layers: int) -> Callable[[], None]:
    x = nd.ones((1,))
    x.attach_grad()

    def run() -> None:
        with autograd.record():
            y = x
            for _ in range(layers):
                y = y * 2
        y.backward()

    return run


#: What is done -> how it is prepared for so many layers, and a folder for files.
CASES: dict[str, Callable[[int, Path], Callable[[], Any]]] = {
    "initialize": lambda n, _: lambda: net_of(n),
    "eager step": lambda n, _: trained(n)[2],
    "hybridized step": lambda n, _: trained(n, hybrid=True)[2],
    "first call": lambda n, _: first_call(n),
    "first step": lambda n, _: first_step(n),
    "chain of operations": lambda n, _: chain(n),
    "parameters by name": lambda n, _: (lambda net: lambda: net.collect_params(".*weight"))(net_of(n)),
    "export": lambda n, folder: lambda: exported(n, folder),
    "imports": lambda n, folder: (lambda files: lambda: gluon.SymbolBlock.imports(*files))(exported(n, folder)),
    "imported in a graph": composed,
    "states of a trainer": states,
    "cast": lambda n, _: (lambda net: lambda: net.cast("float64"))(net_of(n)),
    "graph": lambda n, _: lambda: graph_of(n),
    "shapes": lambda n, _: (lambda graph: lambda: graph.infer_shape(data=(1, 2)))(graph_of(n)),
    "file of a graph": lambda n, _: (lambda graph: lambda: sym.load_json(graph.tojson()))(graph_of(n)),
    "composition": lambda n, _: (lambda graph: lambda: graph(data=sym.var("x") + 1))(graph_of(n)),
    "simple_bind": lambda n, _: (lambda graph: lambda: graph.simple_bind(mx.cpu(), data=(1, 2)))(graph_of(n)),
    "executor": lambda n, _: backward_of_executor(n),
    "module": lambda n, _: lambda: module_of(n),
    "optimizer of a module": lambda n, _: module_of(n).init_optimizer,
    "parameters of a module": lambda n, _: module_of(n).get_params,
    "summary": lambda n, _: (lambda graph: lambda: mx.viz.print_summary(graph, {"data": (1, 2)}))(graph_of(n)),
}


def calls(work: Callable[[], Any]) -> int:
    """Return how many functions are called."""
    count = 0

    def note(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.filterwarnings("ignore:Cannot decide type")  # of an exported net, in which nothing says it
@pytest.mark.parametrize("case", CASES)
def test_the_cost_grows_with_the_number_of_layers(case: str, tmp_path: Path) -> None:
    CASES[case](3, tmp_path)()  # what is imported and kept for the first one
    few, many = (calls(CASES[case](layers, tmp_path)) for layers in (FEW, TIMES * FEW))
    assert many < 1.15 * TIMES * few, f"{few} calls for {FEW} layers, {many} for {TIMES * FEW}"


class Name(str):
    """A name that counts what it is compared with."""

    compared = 0

    def __eq__(self, other: object) -> bool:
        Name.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_inputs_of_a_graph_are_looked_up_and_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    list_inputs = sym.Symbol.list_inputs
    monkeypatch.setattr(sym.Symbol, "list_inputs", lambda self: list(map(Name, list_inputs(self))))
    first_call(FEW)()
    assert 0 < Name.compared < 20 * FEW
