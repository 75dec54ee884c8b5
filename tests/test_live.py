"""A net that is changed while it is looked at: what is written is tried on a copy, and wrong texts are explained."""

from __future__ import annotations

import copy
import gc
import random
import sys
import threading
from types import SimpleNamespace
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.pictures import limit
from d2lhybrid.internals.pictures.limit import Overtime, time_limit
from d2lhybrid.internals.pictures.lines import _enter

X = nd.array([[1.0, -2.0, 3.0], [4.0, 5.0, 6.0]])
FACTOR = 3
CALLS: list[int] = []


class Net(nn.HybridBlock):
    """Two layers."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.hidden = nn.Dense(4)
        self.norm = nn.BatchNorm()
        self.output = nn.Dense(2)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        print("x is", type(x).__name__)
        h = F.relu(self.norm(self.hidden(x)))
        return self.output(h)


class Legacy(nn.HybridBlock):
    def __init__(self, units: int, **kwargs: Any) -> None:
        super(Legacy, self).__init__(**kwargs)  # noqa: UP008  as it was written in 2018
        self.units = units
        with self.name_scope():
            self.first = nn.Dense(units)
            self.second = self.first

    def hybrid_forward(self, F: Any, x: Any, y: Any) -> Any:
        return self.first(x) + self.second(y) * FACTOR


class Base(nn.HybridBlock):
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return self.after(F, x * 2)


class Derived(Base):
    def after(self, F: Any, x: Any) -> Any:
        CALLS.append(1)
        random.random()
        return x + 1


def closed_over(by: float) -> nn.HybridBlock:
    class Scale(nn.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return x * by

    return Scale()


def trained() -> Net:
    net = Net()
    net.initialize()
    net(X)
    net.norm.running_mean.set_data(nd.array([1.0, 2.0, 3.0, 4.0]))
    return net


def values(net: Any) -> dict[str, numpy.ndarray]:
    return {name: p.data().asnumpy() for name, p in net._collect_params_with_prefix().items()}


def changed(live: Any, old: str, new: str) -> Any:
    assert old in live.text
    live.rewrite(live.text.replace(old, new))
    return live


def outputs(live: Any) -> Any:
    """Return what the net of the picture computes, hybridized."""
    return live.made.net(*live.inputs)


def test_calls_graph_and_findings_follow_the_text() -> None:
    live = mx.live(trained(), X)
    assert [call.lane for call in live.trace.calls] == ["array", "symbol", "program"]
    assert [call.printed_lines for call in live.trace.calls] == [1, 1, 0]
    assert "relu" in " ".join(node.operator for node in live.graph.model("traced").operators)
    changed(live, "F.relu(", "F.sigmoid(")
    names = " ".join(node.operator for node in live.graph.model("traced").operators)
    assert "sigmoid" in names and "relu" not in names
    assert [f.kind for f in live.findings] == ["print"]
    changed(live, '        print("x is", type(x).__name__)\n', "")
    assert not live.findings and not any(call.printed for call in live.trace.calls)
    assert live.problem is None and not live.old


def test_nothing_of_the_users_is_changed(capsys: pytest.CaptureFixture[str]) -> None:
    net = trained()
    net.hybridize()
    net(X)
    before, program, kind, state = values(net), net.programs[-1], type(net), random.getstate()
    drawn = numpy.random.get_state()[1].tolist()  # type: ignore[index]
    mx.random.seed(7)
    live = mx.live(net, X)
    changed(live, "nn.Dense(4)", "nn.Dense(5)")
    changed(live, "return self.output(h)", "x[:] = 0\n        return self.output(h)")
    assert live.problem is not None
    after = nd.random.uniform(shape=(3,)).asnumpy()
    mx.random.seed(7)
    assert after.tolist() == nd.random.uniform(shape=(3,)).asnumpy().tolist()
    assert random.getstate() == state and numpy.random.get_state()[1].tolist() == drawn  # type: ignore[index]
    assert type(net) is kind and net._active and net.programs[-1] is program
    assert all((before[name] == value).all() for name, value in values(net).items())
    assert X.asnumpy()[0].tolist() == [1, -2, 3]
    assert capsys.readouterr().out.count("x is") == 2, "only what the test itself called"
    first, second = nn.Dense(1), nn.Dense(1)
    assert int(second.name.removeprefix("dense")) == int(first.name.removeprefix("dense")) + 1
    mx.live(net, X).rewrite(live.text)
    assert int(nn.Dense(1).name.removeprefix("dense")) == int(second.name.removeprefix("dense")) + 1


def test_parameters_and_running_statistics_are_the_nets() -> None:
    net = trained()
    live = changed(mx.live(net, X), "F.relu(", "F.tanh(")
    assert live.made.net is not net
    mine = values(net)
    assert mine["norm.running_mean"].any() and live.made.kept == list(mine)
    assert all((mine[name] == value).all() for name, value in values(live.made.net).items())


def test_where_layers_change_what_fits_is_kept() -> None:
    net = trained()
    live = changed(mx.live(net, X), "self.output = nn.Dense(2)", "self.output = nn.Dense(7)")
    assert live.made.anew and live.made.new == ["output.weight", "output.bias"]
    made = values(live.made.net)
    assert (made["norm.running_var"] == values(net)["norm.running_var"]).all()
    assert outputs(live).shape == (2, 7)
    said = live.to_dict()["said"]
    assert "6 of 8 parameters are yours" in said and "output.weight" in said
    changed(live, "        self.norm = nn.BatchNorm()\n", "")
    assert live.problem is not None and "'norm'" in live.problem.message and live.old
    changed(live, "self.norm(self.hidden(x))", "self.hidden(x)")
    assert live.problem is None and sorted(values(live.made.net)) == [
        "hidden.bias", "hidden.weight", "output.bias", "output.weight",
    ]  # fmt: skip


def test_what_init_was_given_is_found_in_the_net_or_asked_for() -> None:
    net = Legacy(4)
    net.initialize()
    live = mx.live(net, X, X * 2)
    expected = net(X, X * 2).asnumpy()
    assert (outputs(live).asnumpy() == expected).all()
    changed(live, "self.second = self.first", "self.second = nn.Dense(units, use_bias=False)")
    assert live.made.anew and live.made.kept == ["first.weight", "first.bias", "second.weight"]
    net.__dict__.pop("units")
    changed(live, "use_bias=False", "flatten=False")
    assert live.problem is not None and "store it as self.units" in live.problem.message


def test_names_of_the_notebook_and_of_functions_around_are_seen_as_they_are() -> None:
    global FACTOR
    net = Legacy(2)
    net.initialize()
    live = mx.live(net, X, X)
    before = outputs(live).asnumpy()
    FACTOR = 0
    live.rewrite(live.text)
    after = outputs(live).asnumpy()
    FACTOR = 3
    assert (before != after).any()
    live = mx.live(closed_over(5.0), X)
    changed(live, "x * by", "x * by + FACTOR")
    assert outputs(live).asnumpy().tolist() == (X * 5 + 3).asnumpy().tolist()
    assert globals()["Net"] is Net


def test_classes_that_others_are_derived_from_stand_in_the_text_too() -> None:
    live = mx.live(Derived(), X)
    assert live.text.index("class Base") < live.text.index("class Derived(Base)")
    changed(changed(live, "x * 2", "x * 10"), "x + 1", "x - 1")
    assert outputs(live).asnumpy().tolist() == (X * 10 - 1).asnumpy().tolist()
    assert CALLS == [], "what hybrid_forward does to the notebook's variables is put back"


WRONG = {
    "no program": ("F.relu(", "F.relu((", "SyntaxError", "h = F.relu", "not a valid program yet"),
    "an operator that is not there": ("F.relu(", "F.rellu(", "rellu", "h = F.rellu", "'relu'"),
    "an array's method": ("self.output(h)", "self.output(h).T", "'T'", "return self", "F.transpose"),
    "a shape": ("return self.output(h)", "return F.dot(h, h)", "dot", "return F.dot", "h = NDArray (2, 4)"),
    "deleted parameters": ("        self.output = nn.Dense(2)\n", "", "'output'", "return self.output", "eagerly"),
    "another name": ("class Net", "class Other", "no longer has a class Net", "", ""),
    "in the class itself": ("    def hybrid", "    y = 1 / 0\n\n    def hybrid", "ZeroDivisionError", "y = 1 / 0", ""),
    "in __init__": ("nn.Dense(4)", "nn.Dense(4, 5, 6, 7, 8, 9, 10, 11)", "TypeError", "self.hidden =", ""),
    "an exit": ("return self.output(h)", "raise SystemExit(3)", "SystemExit: 3", "raise SystemExit", ""),
    "recursion": ("return self.output(h)", "return self(x)", "RecursionError", "", ""),
    "nothing at all": ("class Net", "# class Net", "", "", ""),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_text_is_explained_at_its_line_and_the_last_picture_stays(name: str) -> None:
    old, new, message, line, more = WRONG[name]
    live = mx.live(trained(), X)
    good = live.trace
    changed(live, old, new)
    problem = live.problem
    assert problem is not None and live.old and live.trace is good
    assert message in problem.message
    written = live.text.splitlines()[problem.line - 1] if problem.line else ""
    assert written.strip().startswith(line) if line else True, (problem.line, written)
    assert more in " ".join([problem.when, problem.why, *problem.instead, *(" = ".join(v) for v in problem.values)])
    live.reset()
    assert live.problem is None and not live.old and live.trace is not good


def test_a_line_is_put_right() -> None:
    live = changed(mx.live(trained(), X), "self.output(h)", "self.output(h).T")
    assert live.problem.corrected == "return F.transpose(self.output(h))"
    assert live.problem.page.startswith("H10") and live.to_dict()["problem"]["line"] == live.problem.line


def test_a_net_that_fails_at_first_shows_the_calls_that_fail() -> None:
    live = mx.live(Net(), X)
    assert live.problem is not None and live.problem.instead == ["Call net.initialize() first."]
    assert [call.kind for call in live.trace.calls] == ["failed"] and not live.old and live.graph is None
    assert live.to_dict()["graph"] is None


LOOPS = {
    "at once": "while True: pass",
    "that catches errors": "while True:\n            try: 1 / 0\n            except Exception: pass",
    "that catches everything": "while True:\n            try: sum(range(1000))\n            except: pass",
    "that waits": "import time\n        while True: time.sleep(0.01)",
    "in a try": "try:\n            while True: pass\n        except: pass",
    "in two": (
        "for i in range(2):\n            try:\n                while True:\n                    try: sum(range(1000))\n"
        "                    except: pass\n            finally: pass"
    ),
    "that suppresses": (
        "import contextlib\n        while True:\n            with contextlib.suppress(BaseException): 1 / 0"
    ),
    "in one line": "[0 for _ in iter(int, 1)]",
    "that calls": (
        "def inner(): return sum(range(100))\n        while True:\n            try: inner()\n            except: pass"
    ),
}


@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_that_does_not_end_is_stopped(name: str) -> None:
    live = mx.live(trained(), X, seconds=5)
    live.seconds = 0.3
    changed(live, "return self.output(h)", f"{LOOPS[name]}\n        return h")
    assert live.problem is not None and "did not end within 0.3 seconds" in live.problem.message
    assert live.old and live.text.splitlines()[live.problem.line - 1].strip() in LOOPS[name]
    live.seconds = 5
    live.reset()
    assert live.problem is None


def test_a_loop_is_stopped_if_its_time_ends_while_garbage_is_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    """The collector ignores an error of a function that it calls."""
    now, rounds = [0.0], []

    def over(phase: str, info: dict[str, int]) -> None:
        now[0] = 10.0
        now[0] += 1.0

    def collects() -> None:
        for i in range(3):
            rounds.append(i)
            gc.collect()

    monkeypatch.setattr(limit, "time", SimpleNamespace(monotonic=lambda: now[0]))
    gc.callbacks.append(over)
    try:
        with pytest.raises(Overtime), time_limit(1):
            collects()
    finally:
        gc.callbacks.remove(over)
    assert rounds == [0]


def test_a_loop_is_stopped_in_another_thread_too() -> None:
    stopped = []

    def endless() -> None:
        while True:
            pass

    def work() -> None:
        try:
            with time_limit(0.2):
                endless()
        except Overtime as error:
            stopped.append(str(error))
        stopped.append("goes on")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(60)
    assert stopped == ["The code was stopped, because it did not end within 0.2 seconds.", "goes on"]


def test_what_is_stopped_is_the_users() -> None:
    """Not a function of Python's own or of this package, in the midst of which something would stay half done."""
    lines = []

    def slowly(key: int) -> int:
        return -key

    with time_limit(0):
        lines += sorted(nd.ones((3,)).asnumpy().tolist())
        copy.deepcopy({"a": [1, 2]})
    assert lines == [1, 1, 1] and sys.gettrace() is not _enter
    with pytest.raises(Overtime), time_limit(0):
        sorted([3, 1, 2], key=slowly)


def test_what_is_in_time_is_not_stopped() -> None:
    with time_limit(60):
        pass
    with pytest.raises(ValueError, match="mine"), time_limit(60):
        raise ValueError("mine")


def by_exec() -> nn.HybridBlock:
    names: dict[str, Any] = {"nn": nn, "__name__": "nowhere"}
    exec("class Hidden(nn.HybridBlock):\n    def hybrid_forward(self, F, x):\n        return x * 2\n", names)
    return names["Hidden"]()


UNTOLD = {
    "layers": lambda: nn.HybridLambda(lambda F, x: F.relu(x)),
    "a symbol": lambda: gluon.SymbolBlock(mx.sym.relu(mx.sym.var("data")), mx.sym.var("data", dtype="float32")),
    "exec": by_exec,
}


@pytest.mark.parametrize("name", UNTOLD)
def test_a_net_without_a_text_is_shown_and_cannot_be_written_in(name: str) -> None:
    live = mx.live(UNTOLD[name](), X)
    assert live.where is None and live.problem is None and len(live.trace.calls) == 3
    assert "no code to edit" in live.to_dict()["untold"] and "no code" in str(live)
    for act in (lambda: live.rewrite("class A: pass"), live.keep):
        with pytest.raises(ValueError, match="no code to edit"):
            act()


def test_a_block_with_tabs_and_one_of_numpys_kind() -> None:
    block = PlainBlock()
    live = changed(mx.live(block, X), "x * 2", "x * 4")
    assert live.graph is None and "this net is a plain Block" in live.to_dict()["without"]["graph"]
    mx.npx.set_np()
    try:
        live = changed(mx.live(OfNumpy(), mx.np.ones((2, 3))), "+ 1", "+ F.np.ones_like(y)")
        assert live.problem is None and float(outputs(live).sum()) == 18
    finally:
        mx.npx.reset_np()


class PlainBlock(nn.Block):
    def forward(self, x: Any) -> Any:
        return x * 2


class OfNumpy(nn.HybridBlock):
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        y = F.np.square(x) * 2
        return y + 1


def test_keeping_it_changes_the_users_net_itself() -> None:
    net = trained()
    before, weight = values(net), net.hidden.weight
    live = mx.live(net, X)
    with pytest.raises(ValueError, match="cannot be applied"):
        changed(live, "return self", "return selv").keep()
    live.reset()
    changed(live, "F.relu(", "F.tanh(").keep()
    assert net.hidden.weight is weight and all((before[n] == v).all() for n, v in values(net).items())
    assert "tanh" in str(net.graph(X)) and live.start == live.text
    changed(live, "self.output = nn.Dense(2)", "self.output = nn.Dense(9)").keep()
    assert net(X).shape == (2, 9) and (values(net)["hidden.weight"] == before["hidden.weight"]).all()
    assert "Trainer" in live.said
    changed(live, "nn.Dense(9)", "nn.Dense(3)")
    assert outputs(live).shape == (2, 3) and net(X).shape == (2, 9)


def test_a_cell_that_is_run_again_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Any] = []
    events = SimpleNamespace(register=lambda name, hear: heard.append(hear), unregister=lambda name, hear: None)
    shell = SimpleNamespace(get_ipython=lambda: SimpleNamespace(events=events, kernel=None))
    monkeypatch.setitem(__import__("sys").modules, "IPython", shell)
    net = trained()
    monkeypatch.setitem(globals(), "the_net", net)
    live = mx.live(net, X)
    changed(live, "F.relu(", "F.tanh(")
    heard[0]()
    assert live.edition == 0 and "tanh" in live.text, "a cell that has nothing to do with the net"
    newer = live.where.classes["Net"]
    monkeypatch.setitem(globals(), "Net", closed_newer())
    heard[0]()
    assert live.edition == 1 and "softrelu" in live.text and live.problem is None
    assert type(net) is newer, "the net itself is still the old one"
    other = closed_newer()()
    other.initialize()
    monkeypatch.setitem(globals(), "the_net", other)
    heard[0]()
    assert live.net is other and live.problem is None


def closed_newer() -> type:
    class Net(nn.HybridBlock):
        def __init__(self, **kwargs: Any) -> None:
            super().__init__(**kwargs)
            self.hidden = nn.Dense(4)
            self.norm = nn.BatchNorm()
            self.output = nn.Dense(2)

        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return self.output(F.Activation(self.norm(self.hidden(x)), act_type="softrelu"))

    Net.__qualname__ = "Net"
    for function in vars(Net).values():
        if callable(function) and hasattr(function, "__qualname__"):
            function.__qualname__ = f"Net.{function.__name__}"
    return Net


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_its_forms_say_what_is_wrong(lang: str) -> None:
    with mx.config(lang=lang):
        live = changed(mx.live(trained(), X), "F.relu(", "F.relu((")
        text, page = live.to_text(), live.to_html()
        assert "SyntaxError" in text and "SyntaxError" in page and "<script" not in page
        assert ("实时" in text) is (lang == "zh")


@pytest.mark.parametrize(
    ("given", "message"),
    [((3, X), "a Block"), ((nn.Dense(1),), "at least one array"), ((nn.Dense(1), 5), "at least one array")],
)
def test_what_cannot_be_shown(given: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        mx.live(*given)
