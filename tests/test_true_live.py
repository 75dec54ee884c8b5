"""What the live editor says of a net is so: of its copy, its parameters, its findings, and the code that ran last."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy
import pytest
from said import parsed, texts_in

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.pictures.live import data as _data  # noqa: F401  with it come its words

X = nd.array([[1.0, -2.0, 3.0], [4.0, 5.0, 6.0]])
TEXTS = texts_in("live/*.py")
#: Sentence -> the name of the test that compares it.
COMPARED: dict[str, str] = {}


def about(*texts: str) -> Any:
    """Note which sentences a test compares."""

    def note(test: Any) -> Any:
        COMPARED.update(dict.fromkeys(texts, test.__name__))
        return test

    return note


class Net(nn.HybridBlock):
    def __init__(self, units: int = 4, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.hidden = nn.Dense(units)
        self.output = nn.Dense(2)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return self.output(F.relu(self.hidden(x)))


class Plain(nn.Block):
    def forward(self, x: Any) -> Any:
        return x * 2


def trained() -> Net:
    net = Net()
    net.initialize(mx.init.Uniform(0.5))
    net(X)
    return net


def values(net: Any) -> dict[str, numpy.ndarray]:
    return {name: p.data().asnumpy() for name, p in net._collect_params_with_prefix().items()}


def changed(live: Any, old: str, new: str) -> Any:
    assert old in live.text
    live.rewrite(live.text.replace(old, new))
    return live


def test_every_sentence_is_compared_by_a_test() -> None:
    assert set(COMPARED) == TEXTS
    assert all(name in globals() for name in COMPARED.values())


@about("A copy of your net runs, with its parameters.", "Changes here apply to a copy of your net.",
       "Changes here apply to your net.")  # fmt: skip
def test_a_copy_of_the_net_runs_with_its_parameters() -> None:
    net = trained()
    before = values(net)
    live = mx.live(net, X)
    data = live.to_dict()
    assert data["said"] == "A copy of your net runs, with its parameters."
    assert data["trace"]["words"]["Changes here apply to your net."] == "Changes here apply to a copy of your net."
    assert live.made.net is not net and values(live.made.net).keys() == before.keys()
    assert all((values(live.made.net)[name] == value).all() for name, value in before.items())
    live.made.net.hidden.weight.set_data(nd.zeros((4, 3)))
    changed(live, "F.relu(", "F.tanh(")
    assert all((values(net)[name] == value).all() for name, value in before.items()), "the net itself is as before"
    assert "tanh" not in str(net.graph(X))


@pytest.mark.parametrize(
    ("old", "new"),
    [("nn.Dense(2)", "nn.Dense(7)"), ("nn.Dense(units)", "nn.Dense(units + 1)"), ("nn.Dense(2)", "nn.Dense(2)  # new")],
)
@about("__init__ created a new net: {kept} of {count} parameters are yours, and the new ones are {names}.")
def test_as_many_parameters_are_kept_as_are_said(old: str, new: str) -> None:
    net = trained()
    live = changed(mx.live(net, X), old, new)
    before, after = values(net), values(live.made.net)
    same = {n for n, v in after.items() if n in before and before[n].shape == v.shape and (before[n] == v).all()}
    text = live.to_dict()["said"]
    if same == {*after}:
        assert text == "A copy of your net runs, with its parameters."
        return
    ((_, found),) = parsed(text, TEXTS)
    zero = {n for n in same if not after[n].any()}  # a new bias has the same zeros
    named = {*found["names"].split(", ")}
    assert {*after} - same <= named <= ({*after} - same) | zero
    assert int(found["count"]) == len(after) and int(found["kept"]) == len(after) - len(named)


@about("The eager and hybridized results are the same, and nothing is frozen ({n} calls compared).")
def test_that_nothing_is_frozen_is_said_where_both_ways_agree() -> None:
    net = trained()
    live = mx.live(net, X)
    found = live.to_dict()["findings"]
    ((_, values_),) = parsed(found["head"], TEXTS)
    assert int(values_["n"]) == 2 * (2 + 3) and not found["groups"]  # two modes; two seeds, other values, two sizes
    eager = net(X).asnumpy()
    net.hybridize()
    assert numpy.allclose(net(X).asnumpy(), eager, rtol=1e-5)
    frozen = changed(live, "F.relu(", "3 * F.relu(").to_dict()["findings"]
    assert frozen["head"], "a number of the program is no attribute"


@about("Hybridized, the net behaves differently:", "Frozen: decided once, while the net was traced:", "Good to know:")
def test_findings_stand_below_what_they_are() -> None:
    live = changed(mx.live(trained(), X), "F.relu(", "print('seen') or F.relu(")
    titles = {group["title"]: group["rows"] for group in live.to_dict()["findings"]["groups"]}
    rows = titles["Frozen: decided once, while the net was traced:"]
    assert any("print('seen')" in row["what"] for row in rows)
    assert all("decided" in row["what"] or "prints while the net is traced" in row["what"] for row in rows)
    changed(live, "print('seen') or F.relu(", "F.reshape(")
    changed(live, "self.hidden(x))", "self.hidden(x), shape=(2, 4))")
    titles = {group["title"]: group["rows"] for group in live.to_dict()["findings"]["groups"]}
    assert any("batch size" in row["what"] for row in titles["Good to know:"])
    assert live.findings.notes and bool(live.findings.differences) is (
        "Hybridized, the net behaves differently:" in titles
    )
    silent = mx.live(FirstRow(), X).to_dict()["findings"]["groups"]
    assert "Hybridized, the net behaves differently:" in [group["title"] for group in silent]


class FirstRow(nn.HybridBlock):
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return x[0] * 2


@about("Only HybridBlocks have graphs, and this net is a plain Block.", "A net that fails has no graph.")
def test_what_has_no_graph_is_said() -> None:
    block = mx.live(Plain(), X)
    assert block.graph is None
    assert block.to_dict()["without"]["graph"] == "Only HybridBlocks have graphs, and this net is a plain Block."
    assert not hasattr(Plain(), "_cached_graph") and nn.Dense(2, in_units=3).graph(X) is not None

    class Fails(nn.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            raise ValueError("of the net")

    live = mx.live(Fails(), X)
    assert live.problem is not None and live.graph is None
    assert live.to_dict()["without"]["graph"] == "A net that fails has no graph."
    with pytest.raises(ValueError, match="of the net"):
        Fails()(X)


@about("This picture is from the last code that ran.", "This code does not run, so it cannot be applied.")
def test_a_picture_of_older_code_says_so() -> None:
    net = trained()
    live = changed(mx.live(net, X), "F.relu(", "F.tanh(")
    assert "last code that ran" not in str(live)
    changed(live, "return self", "return selv")
    assert "This picture is from the last code that ran." in str(live)
    assert "tanh" in str(live.graph.programs) and "selv" not in str(live.graph.programs)
    with pytest.raises(ValueError, match="This code does not run, so it cannot be applied"):
        live.keep()
    assert "tanh" not in str(net.graph(X))


@about("This is your net now. Copy the code into its cell, which still has the old code.", "Create a new Trainer.")
def test_what_is_applied_is_the_net_and_a_trainer_needs_the_new_parameters() -> None:
    net = trained()
    live = changed(mx.live(net, X), "F.relu(", "F.tanh(")
    live.keep()
    assert live.said == "This is your net now. Copy the code into its cell, which still has the old code."
    assert "tanh" in str(net.graph(X)) and "F.relu(" in Path(__file__).read_text(encoding="utf-8")
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1.0})
    changed(live, "nn.Dense(2)", "nn.Dense(7)").keep()
    assert live.said.endswith("Create a new Trainer.")
    with autograd.record():
        loss = net(X).sum()
    loss.backward()
    before = net.output.weight.data().asnumpy()
    trainer.step(1, ignore_stale_grad=True)
    assert (net.output.weight.data().asnumpy() == before).all(), "the old trainer does not know the new parameter"
    gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1.0}).step(1, ignore_stale_grad=True)
    assert (net.output.weight.data().asnumpy() != before).any()


@about("To change the limit, call live(net, x, seconds=...).")
def test_the_limit_is_the_one_that_was_set() -> None:
    class Endless(nn.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            for _ in range(10**9):
                x = x + 0
            return x

    live = mx.live(Endless(), X, seconds=0.3)
    assert live.problem is not None
    assert "To change the limit, call live(net, x, seconds=...)." in live.problem.instead
    assert "0.3" in live.problem.message


@about(
    "There is no code to edit: this net consists of layers, or the source of its class is unknown.",
    "There is no code to edit: {name} consists of layers, or its source is unknown.",
)
def test_what_has_no_code_is_a_net_of_layers() -> None:
    net = nn.HybridSequential()
    net.add(nn.Dense(2, in_units=3))
    net.initialize()
    live = mx.live(net, X)
    assert live.where is None and live.to_dict()["untold"].startswith("There is no code to edit: this net consists of")
    with pytest.raises(ValueError, match="no code to edit: HybridSequential consists of layers"):
        live.rewrite("class A: pass")
    assert type(net).__module__.startswith("d2lhybrid") and not mx.live(trained(), X).to_dict()["untold"]


@about("The code no longer has a class {name}.")
def test_a_class_that_is_gone_is_named() -> None:
    live = changed(mx.live(trained(), X), "class Net(", "class Other(")
    assert live.problem.message == "The code no longer has a class Net." and "class Net" not in live.text


@about("__init__ changed, and the value of its argument {name} is unknown: store it as self.{name}.")
def test_an_argument_that_is_unknown_is_named() -> None:
    class Scaled(nn.HybridBlock):
        def __init__(self, units: int, **kwargs: Any) -> None:
            super().__init__(**kwargs)
            self.output = nn.Dense(units)

        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return self.output(x)

    net = Scaled(3)
    net.initialize()
    live = changed(mx.live(net, X), "nn.Dense(units)", "nn.Dense(units + 1)")
    message = "__init__ changed, and the value of its argument units is unknown: store it as self.units."
    assert message in live.problem.message and not hasattr(net, "units")
    net.units = 3
    live = changed(mx.live(net, X), "nn.Dense(units)", "nn.Dense(units + 1)")
    assert live.problem is None and live.made.net(X).shape == (2, 4)


@about("The cell ran again: this is its code.")
def test_the_code_of_a_cell_that_ran_again_is_its_code() -> None:
    live = mx.live(trained(), X)
    before, newer = live.text, newer_net()
    live.changed_outside({"Net": newer}, None)
    assert live.said == "The cell ran again: this is its code." and live.text != before
    assert "sigmoid" in live.text and live.problem is None and "sigmoid" in str(live.graph.programs)


def newer_net() -> type:
    class Net(nn.HybridBlock):
        def __init__(self, units: int = 4, **kwargs: Any) -> None:
            super().__init__(**kwargs)
            self.hidden = nn.Dense(units)
            self.output = nn.Dense(2)

        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return self.output(F.sigmoid(self.hidden(x)))

    Net.__qualname__ = "Net"
    for function in vars(Net).values():
        if callable(function) and hasattr(function, "__qualname__"):
            function.__qualname__ = f"Net.{function.__name__}"
    return Net


@about("generated program: {name}", "line {n}")
def test_programs_and_lines_are_those_of_the_net() -> None:
    live = mx.live(trained(), X)
    page = live.to_html()
    for name, text in live.graph.programs.items():
        assert f"generated program: {name}" in page
        assert re.search(r"def \w+\(", text)
    changed(live, "return self", "return selv")
    number = 1 + next(i for i, line in enumerate(live.text.splitlines()) if "return selv" in line)
    assert f"line {number}: " in str(live) and live.problem.line == number
