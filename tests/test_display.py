"""What an object is at the end of a cell: its class and what it was made with, in few words and without an address."""

from __future__ import annotations

import collections
import dataclasses
import gc
import html.parser
import importlib
import inspect
import pkgutil
import re

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, exercises, gluon, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.pictures.check import check_hybridization
from d2lhybrid.internals.pictures.check.findings import Findings
from d2lhybrid.internals.pictures.objects import html_of
from d2lhybrid.internals.pictures.picture import Picture
from d2lhybrid.internals.pictures.timing import compare
from d2lhybrid.internals.reports.report import Report
from d2lhybrid.internals.support.display import Shown, brief

#: Packages and modules of machinery: no public function returns their objects, and no attribute of what one returns.
INTERNAL = re.compile(
    r"""d2lhybrid\.(
    executor\.(output_storage|watched)
    | gluon\.(calls|data\.(concurrency_limit|messages|processes|streams|threads))
    | internals\.(
        commands | device | frontends | ops | support
        | compiler\.(arena|backends|emitter|numpy_writer|onednn|passes|static_writer|threads)
        | core\.(attributes|cached_op\.FastCall|codegen\.(Names|Writer)|facts|fallback_call|graph_space|invoke
                |kernel_space|loops|parallel|program_call|promotion|tape)
        | course\.(grading|probing|exercises\.(judging|parts))
        | formats\.serialization\.(byte_reader|limits\.Deadline)
        | pictures\.(check\.observing|graph_build|graph_visible|line_watcher|live\.cells|svg|text_folding
                    |text_rewriting|text_steps\.Execution|timing\.drawing)
    )
    | io\.augmentation
    | ndarray\.(device_copy|methods|numpy\._space|recorded)
    | onnx\.builder
    | optimizer\.(fused|fused_source|in_c)\b
    | profiler\.record
    | symbol\.(methods|numpy\._space)
    | typing
    )""",
    re.VERBOSE,
)
ADDRESS = re.compile(r"\bat 0x[0-9a-f]{6,}|\bobject at ")
#: No object that is not a page of its own takes more letters.
MOST = 1000
PAGES = (Picture, nd.NDArray, gluon.Block, gluon.ParameterDict, Report, Findings, exercises.Exercise)


def public_classes():
    """Return all classes in some ``__all__``, by their full names."""
    found = {}
    for module in pkgutil.walk_packages(mx.__path__, "d2lhybrid."):
        if module.name.endswith("__main__"):
            continue
        try:
            here = importlib.import_module(module.name)
        except ImportError:  # needs a package that is not installed
            continue
        for name in getattr(here, "__all__", ()):
            cls = getattr(here, name, None)
            if inspect.isclass(cls) and cls.__module__.startswith("d2lhybrid") and not issubclass(cls, BaseException):
                found[f"{cls.__module__}.{cls.__qualname__}"] = cls
    return found


def test_every_public_class_says_what_its_objects_are():
    classes = public_classes()
    assert len(classes) > 500
    bare = [name for name, cls in classes.items() if cls.__repr__ is object.__repr__ and not INTERNAL.match(name)]
    assert bare == []


def test_no_exception_from_that_is_out_of_date():
    pattern = re.compile(r"\s+").sub("", INTERNAL.pattern)
    names = list(public_classes())
    assert len(pattern) > 100 and sum(bool(INTERNAL.match(name)) for name in names) > 100


@pytest.fixture
def net():
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(256, activation="relu"), nn.Dense(10))
    net.initialize()
    net.hybridize()
    return net


class Strange(gluon.HybridBlock):
    """Prints, counts and depends on a number: there is something to find in it."""

    def __init__(self):
        super().__init__()
        self.calls, self.factor = 0, 2.0

    def hybrid_forward(self, F, x):
        self.calls += 1
        print("here")
        return x * self.factor * self.calls


def things(net):
    """Return what a student ends a cell with."""
    x = nd.ones((2, 20))
    with autograd.record():
        net(x)
    report = net.explain(x, profile=True)
    program = net.programs[-1]
    found = check_hybridization(Strange(), nd.ones((2, 2)))
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5, "momentum": 0.9})
    data = gluon.data.ArrayDataset(nd.ones((1000, 3)), numpy.zeros(1000))
    metric = mx.metric.Accuracy()
    metric.update([nd.array([1, 0])], [nd.array([[0, 1], [0, 1]])])
    timed = compare(net, x, rounds=5, seconds=0.02)
    return [
        report, *report.traces, *report.compilations, *report.programs, *report.programs[0].stages, report.profile,
        *report.profile.lines, *report.programs[0].functions, *report.programs[0].inputs,
        program, program.graph, *program.stages, *program.functions, program.forward.plan, net._cached_op,
        found, *found, timed, *timed.times, *timed.where, *map(timed.verdict, [t.way for t in timed.times[1:]]),
        trainer, trainer.optimizer, trainer._updaters[0], metric, mx.metric.create(["acc", "mse"]), data,
        gluon.data.DataLoader(data, batch_size=5, shuffle=True), data.transform_first(lambda x: x),
        gluon.data.SimpleDataset(list(range(10_000))), gluon.data.BatchSampler(gluon.data.RandomSampler(9), 2, "keep"),
        mx.init.Xavier(), mx.init.Mixed([".*"], [mx.init.Normal(0.5)]), mx.lr_scheduler.FactorScheduler(3),
        mx.io.NDArrayIter(nd.ones((1000, 3)), batch_size=5), *mx.image.CreateAugmenter((3, 4, 4)),
        mx.mod.Module(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3), label_names=None),
        mx.kv.create("local"), mx.rnn.LSTMCell(5), autograd.record(), mx.callback.Speedometer(3), mx.AttrScope(a="1"),
        mx.monitor.Monitor(3), mx.d2l.Timer(), mx.d2l.Accumulator(3), exercises.exercises()[0],
        mx.sym.var("x").simple_bind(mx.cpu(), x=(2,)), mx.profiler.Task(mx.profiler.Domain("b"), "a"),
        net.graph(x), x, net,
    ]  # fmt: skip


class Elements(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.seen = [], collections.Counter()

    def handle_starttag(self, tag, attrs):
        self.seen[tag] += 1
        if tag not in ("img", "br", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_a_student_ends_a_cell_with_has_a_text_and_a_page(net, lang, capsys):
    with mx.config(lang=lang):
        shown = {type(thing).__name__: thing for thing in things(net)}
        for name, thing in shown.items():
            text = repr(thing)
            assert not ADDRESS.search(text), name
            if not isinstance(thing, PAGES):
                assert len(text) <= MOST, name
            assert type(thing).__repr__ is not Shown.__repr__ or "\n" not in text, name
            page = getattr(thing, "_repr_html_", lambda: None)()
            if page is None:
                continue
            elements = Elements()
            elements.feed(page)
            assert elements.open == [], name
            assert not set(elements.seen) & {"script", "style", "svg", "input", "link"}, (
                "taken away where it is not trusted"
            )
            assert not ADDRESS.search(page) and len(page) < 60_000, name
    assert {"Report", "Program", "Graph", "Stage", "Event", "CachedOp", "Findings", "Finding", "Times"} <= set(shown)


def test_of_all_objects_that_are_there_none_is_an_address_or_a_dump(net, capsys):
    """Whatever the pictures and the compiler have made, down to its smallest parts, is looked at."""
    x = nd.ones((2, 20))
    before = gc.get_objects()  # of other tests
    known = {*map(id, before)}
    kept = [things(net), mx.print_trace(net, x), mx.compile_steps(net, x), net.graph(x, backward=True)]
    looked_at = collections.Counter()
    wrong = {}
    for thing in gc.get_objects():
        cls = type(thing)
        name = f"{cls.__module__}.{cls.__qualname__}"
        if id(thing) in known:
            continue
        is_ours = name.startswith("d2lhybrid.") and not cls.__name__.startswith("_") and not INTERNAL.match(name)
        if not is_ours or isinstance(thing, type) or looked_at[cls] >= 20:
            continue
        looked_at[cls] += 1
        text = repr(thing)
        if ADDRESS.search(text) or (len(text) > MOST and not isinstance(thing, PAGES)):
            wrong[name] = text[:100]
    assert kept and len(looked_at) > 60
    assert not wrong, "\n".join(f"{name}: {text}" for name, text in wrong.items())


def test_the_report_of_a_net_is_its_page(net):
    report = net.explain(nd.ones((2, 20)), profile=True)
    assert repr(report) == str(report) and "Program 1: predict mode" in repr(report)
    page = report._repr_html_()
    assert "dense0_fwd = " in re.sub("<[^>]*>", "", page)
    for word in ("compile", "first call", "Time per line of program 1", "GFLOP/s", "first concrete function"):
        assert word in page


def test_programs_in_a_list_are_told_apart(net):
    net(nd.ones((2, 20)))
    net(nd.ones((3, 20)))
    assert repr(net.programs) == (
        "[<Program: predict mode, 3 operators, data float32[2,20] -> float32[2,10]>, "
        "<Program: predict mode, 3 operators, data float32[3,20] -> float32[3,10]>]"
    )
    assert repr(net._cached_op) == "<CachedOp: 2 programs>"
    assert repr(net.programs[0].graph) == "<Graph: 3 operators, 5 inputs, 1 output>"
    assert repr(net.programs[0].forward) == "<PythonSource forward: 7 lines>"


def test_what_was_given_is_said_and_what_was_not_is_left_out():
    assert repr(mx.init.Normal(0.5)) == "Normal(sigma=0.5)" and repr(mx.init.Normal()) == "Normal()"
    assert repr(mx.optimizer.SGD(learning_rate=0.5, momentum=0.9)) == "SGD(momentum=0.9, learning_rate=0.5)"
    data = gluon.data.ArrayDataset(nd.ones((1000, 3)))
    assert repr(data) == "ArrayDataset(length=1000, arrays=(<NDArray 1000x3 float32>,))"
    assert repr(autograd.predict_mode()) == "Scope(training=False)"
    page = mx.init.Normal()._repr_html_()
    assert "sigma" in page and "0.01" in page and "opacity: 0.6" in page


class Secret:
    """Calls to it are mistakes."""

    def __repr__(self):
        raise AssertionError("a user's code ran")

    __len__ = __iter__ = __eq__ = __getattr__ = __repr__
    __hash__ = None


class Own(gluon.data.Dataset):
    """A data set of a user's, as in a lesson."""

    def __init__(self, root, items, secret, size=3, **rest):
        self.root, self._items, self.secret, self.size = root, items, secret, size

    @property
    def missing(self):
        raise AssertionError("a user's code ran")

    def __getitem__(self, i):
        return self._items[i]

    def __len__(self):
        raise AssertionError("a user's code ran")


def test_a_class_of_the_users_is_shown_and_nothing_of_it_is_run():
    made = Own("a" * 1000, [[i] * 3 for i in range(1000)], Secret())
    assert len(repr(made)) < 200
    assert repr(made).endswith("items=[[0, 0, 0], [1, 1, 1], ... 1000 items], secret=<Secret>)")
    assert "&lt;Secret&gt;" in made._repr_html_()
    half = Own.__new__(Own)  # whose __init__ has failed
    assert repr(half) == "Own()"


def test_an_object_that_holds_itself_comes_to_an_end():
    made = mx.init.Normal()
    made.sigma = [made, {"again": made}]
    assert len(repr(made)) < 300
    circle = []
    circle.append(circle)
    assert brief(circle) == "[[[[...]]]]"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (numpy.float32(0.5), "0.5"), (numpy.dtype("float32"), "'float32'"), (len, "len"), (nn.Dense, "Dense"),
        (mx.cpu(1), "cpu(1)"), (set(), "set()"), ({}, "{}"), ((), "()"), ((1,), "(1,)"), ({"a": [1]}, "{'a': [1]}"),
        ("x" * 1000, f"'{'x' * 56}..."), (range(3), "<range>"), (object(), "<object>"),
        ([10**50] * 3, "[... 3 items]"),
    ],
)  # fmt: skip
def test_values_in_a_few_letters(value, text):
    assert brief(value) == text


def test_there_is_no_page_for_what_is_not_ours():
    with pytest.raises(TypeError, match="objects of type int cannot be displayed as HTML"):
        html_of(3)
    assert issubclass(mx.optimizer.Adam, Shown) and dataclasses.is_dataclass(Report)
