"""The helpers of the lessons: timing, devices, accuracy, plots."""

import builtins
import re
import subprocess
import sys

import numpy
import pytest

import d2lhybrid
from d2lhybrid import d2l
from d2lhybrid.d2l import timing


@pytest.fixture
def pyplot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


# --- timing ---


def test_timer(monkeypatch):
    ticks = iter([10.0, 11.0, 20.0, 23.0])
    monkeypatch.setattr(timing.time, "perf_counter", lambda: next(ticks))
    timer = d2l.Timer()
    assert timer.stop() == 1.0
    timer.start()
    assert timer.stop() == 3.0
    assert (timer.avg(), timer.sum(), timer.cumsum()) == (2.0, 4.0, [1.0, 4.0])


def test_benchmark_prints_the_lessons_line(capsys):
    with d2l.benchmark():
        pass
    with d2l.benchmark("Without hybridization: %.4f sec"):
        pass
    first, second = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"Done in 0\.\d{4} sec", first)
    assert re.fullmatch(r"Without hybridization: 0\.\d{4} sec", second)


@pytest.mark.parametrize("description", ["With hybridization", "100% eager"])
def test_benchmark_of_newer_editions(capsys, description):
    with d2l.Benchmark(description):
        pass
    assert re.fullmatch(re.escape(description) + r": 0\.\d{4} sec\n", capsys.readouterr().out)


def test_benchmark_keeps_its_results(capsys):
    d2l.benchmark.results.clear()
    with d2l.benchmark("a %.1f") as first:
        pass
    with d2l.Benchmark() as second:
        pass
    assert d2l.benchmark.results == [("a %.1f", first.seconds), ("Done", second.seconds)]


def test_benchmark_lets_errors_through(capsys):
    with pytest.raises(ZeroDivisionError), d2l.benchmark():
        _ = 1 / 0
    assert capsys.readouterr().out.startswith("Done in ")


def test_benchmark_class_as_the_lesson_writes_it(capsys):
    class benchmark:
        def __init__(self, description="Done in %.4f sec"):
            self.description = description

        def __enter__(self):
            self.timer = d2l.Timer()
            return self

        def __exit__(self, *args):
            print(self.description % self.timer.stop())

    with benchmark():
        pass
    assert capsys.readouterr().out.startswith("Done in 0.")


# --- devices ---


def test_devices_without_a_gpu(monkeypatch):
    from d2lhybrid import context

    monkeypatch.setattr(context, "num_gpus", lambda: 0)
    assert d2l.try_gpu() == context.cpu()
    assert d2l.try_all_gpus() == [context.cpu()]


def test_devices_with_two_gpus(monkeypatch):
    from d2lhybrid import context

    monkeypatch.setattr(context, "num_gpus", lambda: 2)
    assert d2l.try_gpu(1) == context.gpu(1)
    assert d2l.try_gpu(2) == context.cpu()
    assert d2l.try_all_gpus() == [context.gpu(0), context.gpu(1)]


# --- accuracy ---


def test_accumulator():
    sums = d2l.Accumulator(2)
    sums.add(1, 2)
    sums.add(numpy.array([3.0]).sum(), 4)
    assert (sums[0], sums[1]) == (4.0, 6.0)
    sums.reset()
    assert (sums[0], sums[1]) == (0.0, 0.0)
    with pytest.raises(ValueError, match="zip"):
        sums.add(1)


def test_accumulator_takes_arrays_of_one_element():
    sums = d2l.Accumulator(2)
    sums.add(d2lhybrid.nd.ones((1,)), d2lhybrid.np.ones(()))
    assert (sums[0], sums[1]) == (1.0, 1.0)


SCORES = [[0.1, 0.3, 0.6], [0.3, 0.2, 0.5], [0.9, 0.0, 0.1]]


@pytest.mark.parametrize("flavour", ["nd", "np"])
@pytest.mark.parametrize("label_type", ["float32", "int32", "uint8"])
def test_accuracy_of_arrays(flavour, label_type):
    array = getattr(d2lhybrid, flavour).array
    scores, labels = array(SCORES), array([2, 1, 0], dtype=label_type)
    assert d2l.accuracy(scores, labels) == 2.0
    assert d2l.accuracy(scores.argmax(axis=1), labels) == 2.0


def test_accuracy_counts_past_the_range_of_small_labels():
    labels = numpy.ones(300, "uint8")
    assert d2l.accuracy(labels, labels) == 300.0


def test_evaluate_accuracy_of_a_function():
    batches = [(numpy.array(SCORES), numpy.array([2, 1, 0])), (numpy.array(SCORES[:1]), numpy.array([2]))]
    assert d2l.evaluate_accuracy(lambda X: X, batches) == 0.75
    with pytest.raises(ValueError, match="no examples") as caught:
        d2l.evaluate_accuracy(lambda X: X, [])
    assert caught.value.__notes__[0].startswith("Pass at least one batch.")


def test_evaluate_accuracy_of_a_net():
    from d2lhybrid import gluon, nd

    net = gluon.nn.Dense(3, use_bias=False)
    net.initialize(d2lhybrid.init.One())
    net(nd.zeros((1, 3)))
    net.weight.set_data(nd.array(numpy.eye(3)))
    batches = [(nd.array(SCORES), nd.array([2, 1, 0])), (nd.array(SCORES[:1]), nd.array([2]))]
    assert d2l.evaluate_accuracy(net, batches) == 0.75
    net.hybridize()
    assert d2l.evaluate_accuracy(net, batches, d2lhybrid.cpu()) == 0.75


# --- plots ---


@pytest.mark.parametrize(
    ("X", "Y", "curves"),
    [
        ([1, 2, 3], None, 1),
        (numpy.arange(3), numpy.arange(3), 1),
        ([1, 2, 3], [[1, 2, 3], [3, 2, 1]], 2),
        ([[1, 2], [1, 2, 3]], [[1, 2], [3, 2, 1]], 2),
        (numpy.ones((3, 5)), None, 3),
        (range(3), [numpy.arange(3)] * 5, 5),
    ],
)
def test_plot(pyplot, X, Y, curves):
    axes = d2l.plot(X, Y, "time", "loss", legend=["a"], xlim=[0, 3], ylim=[0.1, 4], yscale="log")
    assert len(axes.lines) == curves
    assert (axes.get_xlabel(), axes.get_yscale(), axes.get_xlim()) == ("time", "log", (0.0, 3.0))


def test_plot_of_arrays_into_given_axes(pyplot):
    from d2lhybrid import nd

    _, axes = pyplot.subplots()
    x = nd.array([1, 2, 3])
    assert d2l.plot(x, [x, x * 2], axes=axes) is axes
    numpy.testing.assert_array_equal(axes.lines[1].get_ydata(), [2, 4, 6])


def test_plot_refuses_unequal_lists(pyplot):
    with pytest.raises(ValueError, match="X has 2 curves, but Y has 3"):
        d2l.plot([[1, 2]] * 2, [[1, 2]] * 3)


def test_show_images(pyplot):
    places = d2l.show_images(numpy.ones((3, 1, 8, 8)), 2, 2, titles=[7, 8, 9])
    assert [len(place.images) for place in places] == [1, 1, 1, 0]
    assert places[1].get_title() == "8"


def test_set_figsize(pyplot):
    d2l.set_figsize((2, 1))
    assert list(pyplot.rcParams["figure.figsize"]) == [2, 1]


def test_matplotlib_is_imported_only_when_needed_and_said_to_be_missing(monkeypatch):
    code = "import sys, d2lhybrid.d2l; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

    def import_without(name, *args, _import=builtins.__import__, **kwargs):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return _import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", import_without)
    with pytest.raises(ImportError) as caught:
        d2l.plot([1, 2])
    assert "pip install matplotlib" in caught.value.__notes__[0]
