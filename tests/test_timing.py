"""compare() and compare_over(): every number is one that was measured, and the net is left as it was."""

import collections
import random
import re
import subprocess
import sys
import time

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.d2l import benchmark
from d2lhybrid.gluon import nn
from d2lhybrid.internals.core.operator import all_operators
from d2lhybrid.internals.device import array_modules
from d2lhybrid.internals.ops.kernel_timing import timed_kernels
from d2lhybrid.internals.pictures.timing import (
    Collected,
    Comparison,
    Spread,
    Sweep,
    Times,
    compare,
    compare_over,
    where,
)
from d2lhybrid.internals.pictures.timing.measuring import spread
from d2lhybrid.internals.pictures.timing.verdict import Verdict, certain, headline, known_factor, sentence, verdict_of
from d2lhybrid.internals.pictures.timing.ways import Subject

X = nd.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


class Ticking(nn.HybridBlock):
    """A net with a clock of its own: a call takes ``eager`` ticks line by line, and ``compiled`` ones hybridized."""

    def __init__(self, eager, compiled):
        super().__init__()
        self.now, self.eager, self.compiled, self.calls = [0.0], eager, compiled, []

    def __call__(self, *args):
        self.now[0] += self.compiled if self._active else self.eager
        return super().__call__(*args)

    def hybrid_forward(self, F, x):
        return x * 2

    def clock(self):
        return self.now[0]


class Everything(nn.HybridBlock):
    """A net with all that a call may change."""

    def __init__(self):
        super().__init__()
        self.calls, self.seen = 0, []
        with self.name_scope():
            self.norm, self.drop, self.out = nn.BatchNorm(), nn.Dropout(0.5), nn.Dense(4)

    def hybrid_forward(self, F, x):
        self.calls += 1
        self.seen.append(self.calls)
        print("called")
        return self.out(self.drop(self.norm(x))) * (1 + random.random() + numpy.random.rand())


def measured(net, *inputs, **options):
    return compare(net, *inputs, **{"rounds": 6, "seconds": 0.02, "progress": False} | options)


# --- the numbers ---


def test_times_are_what_the_clock_said():
    net = Ticking(eager=0.75, compiled=0.25)
    found = measured(net, X, clock=net.clock, profile=False, seconds=1000.0)
    assert [t.way for t in found.times] == ["imperative", "hybridized", "static_alloc", "static_shape"]
    assert found.times[0].seconds == [0.75] * 6 and found.times[0].first == 0.75
    for times in found.times[1:]:
        assert times.seconds == [0.25] * 6 and times.warm_up == [0.25] * 3
    assert found.speed_up().to_list() == [3, 3, 3]
    assert found.gain() == "faster"


def test_the_ways_take_turns():
    order = collections.deque()  # a list would be put back

    class Watched(Ticking):
        def __call__(self, *args):
            order.append("h" if self._active else "i")
            return super().__call__(*args)

    net = Watched(0.75, 0.25)
    measured(net, X, ways=["imperative", "hybridized"], clock=net.clock, profile=False, seconds=1000.0, rounds=4)
    assert "".join(order) == "i" + "iiii" + "hhhh" + "ih" + "hi" + "ih" + "hi"


def test_fast_calls_are_timed_many_together():
    net = Ticking(eager=0.0003, compiled=0.00015)
    found = measured(net, X, clock=net.clock, profile=False)
    assert found.times[0].calls == 4 and found.times[1].calls == 7
    assert found.times[0].seconds == pytest.approx([0.0003] * len(found.times[0].seconds))


def test_when_it_has_paid_follows_from_trace_and_compile():
    net = Ticking(eager=0.75, compiled=0.25)
    found = measured(net, X, clock=net.clock, profile=False)
    times = found.time_of("hybridized")
    times.trace, times.compile = 1.0, 4.1
    assert found.paid_after() == 11  # ten calls save 5.0, eleven 5.5
    assert "11 calls" in found.sentences[0]


def test_trace_and_compile_are_those_of_the_history():
    net = nn.Dense(2)
    net.initialize()
    found = measured(net, X, ways=["imperative", "hybridized"])
    times = found.time_of("hybridized")
    assert 0 < times.trace < times.first and 0 < times.compile < times.first
    assert found.times[0].preparation == 0
    assert found.mode == "predict" and found.inputs == "float32 (2, 3)"


@pytest.mark.parametrize(("eager", "compiled", "gain"), [(0.25, 0.5, "slower"), (0.5, 0.5, "equal")])
def test_no_gain_is_called_no_gain(eager, compiled, gain):
    net = Ticking(eager, compiled)
    found = measured(net, X, clock=net.clock, profile=False)
    assert found.gain() == gain and found.paid_after() is None
    assert "pays off" not in found.sentences[0]
    assert found.rows()[1][-1] == "–"


def test_quartiles():
    assert spread([4.0]).to_list() == [4, 4, 4]
    assert spread([1, 2, 3, 4]).to_list() == [1.75, 2.5, 3.25]


def test_rounds_end_when_the_time_is_over_but_not_before_five():
    net = Ticking(0.75, 0.25)
    assert len(measured(net, X, clock=net.clock, profile=False, rounds=50, seconds=0).times[0].seconds) == 5
    assert len(measured(net, X, clock=net.clock, profile=False, rounds=50, seconds=1000).times[0].seconds) == 50


# --- on a busy machine ---

#: Microseconds of one call in nine rounds, while two other programs computed on a machine with two processors.
BUSY = {
    "imperative": [15330, 11060, 333, 11360, 257.2, 11810, 255, 12060, 270.5],
    "hybridized": [315, 2307, 10090, 226.1, 179.8, 178.2, 4661, 203.2, 178.8],
}
QUIET = {
    "imperative": [255.1, 257.2, 254.9, 256.0, 270.5, 255.5, 258.0, 254.2, 256.6],
    "hybridized": [179.8, 178.2, 180.4, 178.8, 203.2, 179.9, 178.5, 181.0, 179.1],
}


def recorded(times, where=(), missing=()):
    """Return a comparison of these times, as if they had just been measured."""
    found = Comparison(Subject(nn.Dense(2), [X]), list(times), 9, 1.0, False)
    found.times = [Times(way, seconds=[t * 1e-6 for t in row], warm_up=[1.0] * 3) for way, row in times.items()]
    for result in found.times[1:]:
        result.trace, result.compile = 1e-3, 2e-3
    found.where, found._missing = list(where), list(missing)
    return found


def everything(picture):
    """Return all that any form of a picture says."""
    drawn = picture.picture()
    return " ".join([picture.to_text(), picture.to_html(), str(picture.to_dict()), "" if drawn is None else drawn.text])


def test_on_a_busy_machine_nothing_is_said_that_was_not_measured():
    found = recorded(BUSY)
    data, text = found.to_dict(), everything(found)
    assert data["headline"]["kind"] == "unclear" and data["headline"]["big"] == "Your machine is busy"
    assert data["bars"][1]["ratio"] == "" and found.paid_after() is None
    for claim in ("is 4.8", "never pays", "Compiling pays off", "no difference"):
        assert claim not in text
    median = f"{found.speed_up().median:.2f}×"
    assert median == "4.79×" and median not in text, "a median that may be anything is no number to be shown"
    assert "unclear (0.05× – 59.4×)" in text and "font-size: 26px" not in text


def test_on_a_quiet_machine_the_same_net_has_its_headline():
    found = recorded(QUIET)
    said = found.to_dict()["headline"]
    assert (said["kind"], said["big"]) == ("faster", "1.42× faster")
    assert "Between 1.40× and 1.44×, with 95% confidence" in said["small"]
    assert found.paid_after() == 40 and "Compiling pays off after 40 calls." in found.sentences[0]
    assert found.to_dict()["bars"][1]["ratio"] == "1.42×" and "font-size: 26px" in found.to_html()
    pytest.importorskip("matplotlib")
    assert "Compiling pays off after 40 calls" in found.picture().text and len(found.plot().axes) == 2


@pytest.mark.parametrize(
    ("lang", "claim"), [("en", "28.5× faster here, certain: 1.61×"), ("zh", "这里加速 28.5×，可以确定的是至少 1.61×")]
)
def test_of_a_wide_interval_it_is_said_what_was_seen_and_what_is_certain(lang, claim):
    faster = Verdict("hybridized", "faster", Spread(28.5, 1.61, 244.0))
    slower = Verdict("hybridized", "slower", Spread(0.1, 0.01, 0.5))
    with mx.config(lang=lang):
        assert headline(faster)["big"] == claim and "28.5" not in sentence(faster)
        assert known_factor(faster) == "≥ 1.61×" and known_factor(slower) == "≤ 0.50×"
        assert "10.0×" in headline(slower)["big"] and "2.00×" in headline(slower)["big"]


@pytest.mark.parametrize(
    ("speed_ups", "kind"),
    [
        ([3.0] * 5, "faster"),
        ([3.0] * 4, "unclear"),  # so few could agree by chance
        ([3.0, 3.0, 3.0, 3.0, 0.9], "unclear"),  # of five, all have to
        ([3.0] * 8 + [0.1], "faster"),
        ([3.0] * 7 + [0.1, 0.1], "unclear"),
        ([0.5] * 9, "slower"),
        ([0.97, 1.03, 1.0, 0.99, 1.01, 1.02, 1.0], "equal"),
        ([0.8, 1.3, 1.0, 0.9, 1.1, 1.2, 1.0], "unclear"),
    ],
)
def test_a_verdict_takes_as_many_rounds_as_chance_cannot_make(speed_ups, kind):
    assert verdict_of("hybridized", speed_ups).kind == kind


def test_the_interval_holds_the_true_median_as_often_as_it_says():
    draw = random.Random(3)
    for rounds in (5, 9, 15, 30):
        within = 0
        for _ in range(2000):
            found = certain([draw.expovariate(1.0) for _ in range(rounds)])
            within += found.lower <= 0.6931471805599453 <= found.upper
        assert within >= 0.93 * 2000


def test_parts_are_shown_only_if_they_add_up_to_the_call():
    times = recorded(QUIET).times[0]
    call = times.spread.median

    def part(whole, kernels, wide=0.0):
        return where.part_of(times, Spread(whole, whole, whole), Spread(kernels, kernels - wide, kernels + wide), 3)

    assert part(call, 0.6 * call) == where.Where("imperative", 0.6 * call, 3, call - 0.6 * call)
    assert part(call, 1.05 * call).python is None  # within the spread: the rest is too small to be measured
    for busy in (part(call, 79.9e-3), part(3 * call, 0.6 * call), part(call, 0.6 * call, wide=call)):
        text, values = busy
        assert "do not add up" in text and values["median"] == "256 µs"
    found = recorded(QUIET, missing=[part(call, 79.9e-3)])
    assert found.to_dict()["where"] == [] and "its kernels 79.9 ms" in found.to_dict()["missing"][0]
    assert "Where the time goes" not in found.to_html()


def test_the_text_says_why_kernels_shrink_only_if_they_do():
    def said(new_kernels, new_python):
        parts = [where.Where("imperative", 16e-6, 8, 22e-6), where.Where("hybridized", new_kernels, 5, new_python)]
        return recorded(QUIET, parts).sentences[1:]

    assert "The kernels shrink, too, from 16.0 µs to 5.75 µs" in said(5.75e-6, 1.6e-6)[0]
    assert "about as long as before" in said(15.9e-6, 1.6e-6)[0]
    parts = [where.Where("imperative", 16e-6, 8, 22e-6), where.Where("hybridized", 5.75e-6, 5, 1.6e-6)]
    assert "shrink" not in everything(recorded(BUSY, parts)), "nothing is explained that was not shown"
    assert not said(20e-6, 1.6e-6) and not said(5.75e-6, None)


def swept(*kinds):
    """Return a sweep over 1, 2, ... in which the times were like these."""
    rows = {"faster": QUIET, "unclear": BUSY, "equal": QUIET | {"hybridized": QUIET["imperative"]}}
    sweep = Sweep(lambda value: recorded(rows[kinds[value - 1]]), range(1, len(kinds) + 1), "batch size", "hybridized")
    for value, kind in enumerate(kinds, 1):
        sweep.measured[value] = recorded(rows[kind])
    return sweep


def test_where_a_busy_machine_hides_it_no_gain_vanishes():
    sweep = swept("faster", "unclear", "equal")
    assert sweep.gain_vanishes_at() is None and sweep.unclear == [2]
    assert sweep.sentence.startswith("Your machine is busy: at batch size 2, the measurements do not show")
    text = everything(sweep)
    assert "gone at" not in text and "vanishes at" not in text and "4.79×" not in text
    assert swept("faster", "equal").sentence == "The gain vanishes at batch size 2."
    assert sweep.to_dict()["points"][1]["kind"] == "unclear"


# --- where the time goes ---


def test_kernels_are_counted_where_they_run():
    net = nn.HybridSequential()
    net.add(nn.Dense(4, activation="relu"), nn.Dense(2))
    net.initialize()
    subject = Subject(net, [X])
    with subject.opened():
        subject.prepare("imperative")
        kernels, count = where._eager(subject, 2, time.perf_counter)
        assert count == 3 and kernels.lower > 0  # two products, one relu
        subject.prepare("hybridized")
        subject.step()
        assert where._compiled(subject, 2, time.perf_counter)[1] == _program_lines(net)


def _program_lines(net):
    net.hybridize()
    lines = net.explain(X, profile=True).profile.lines
    return len([line for line in lines if line.operator])


def test_a_part_that_is_smaller_than_the_noise_is_not_told():
    net = Ticking(0.0, 0.0)
    found = measured(net, X, ways=["imperative", "hybridized"])  # the real clock
    found.times[0].seconds[:] = [0.0] * len(found.times[0].seconds)
    from d2lhybrid.internals.pictures.timing.where import Where

    found.where = [Where("imperative", 1e-6, 1, None)]
    assert "too short to measure" in found.to_text()


def test_kernels_come_back_after_timing():
    kernels = [op.kernel for op in all_operators()]
    x = nd.array([1.0, 2.0])
    x.attach_grad()
    with pytest.raises(ZeroDivisionError), timed_kernels(iter(range(100)).__next__) as times:
        with autograd.record():
            y = nd.relu(x)
        y.backward()
        assert times.calls >= 2, "the tape's kernels count as well"
        1 / 0  # noqa: B018
    assert [op.kernel for op in all_operators()] == kernels
    count = times.calls
    with autograd.record():
        y = nd.relu(x)
    y.backward()
    assert times.calls == count


def test_a_net_of_separate_programs_says_that_there_is_no_program_of_the_whole():
    net = nn.Sequential()
    net.add(nn.Dense(4), nn.Dense(2))
    net.initialize()
    found = measured(net, X)
    assert "hybridized" not in [part.way for part in found.where]
    assert "not a HybridBlock" in found.missing[-1] and found.missing[-1] in found.to_text()


# --- the net stays as it was ---


def state_of(net):
    arrays = {name: p.data().asnumpy().copy() for name, p in net.collect_params().items()}
    grads = {n: p.grad().asnumpy().copy() for n, p in net.collect_params().items() if p.grad_req != "null"}
    return arrays, grads


@pytest.mark.parametrize("active", [False, True])
@pytest.mark.parametrize("train", [False, True])
def test_the_net_is_left_exactly_as_it_was(active, train, capsys):
    net = Everything()
    net.initialize()
    net(X)
    net.hybridize(active)
    with autograd.record():
        y = net(X)
    y.backward()
    capsys.readouterr()
    before = state_of(net)
    calls, seen, programs, history = net.calls, list(net.seen), list(net.programs), list(net._history)
    own = net.seen
    mx.random.seed(7)
    random.seed(7)
    numpy.random.seed(7)
    expected = nd.random.uniform(shape=(3,)).asnumpy(), random.random(), numpy.random.rand()
    mx.random.seed(7)
    random.seed(7)
    numpy.random.seed(7)
    loss = gluon.loss.L2Loss() if train else None
    found = measured(net, X, loss=loss, label=nd.ones((2, 4)) if train else None)
    assert found.mode == ("train" if train else "predict")
    assert (nd.random.uniform(shape=(3,)).asnumpy() == expected[0]).all()
    assert (random.random(), numpy.random.rand()) == expected[1:]
    for old, new in zip(before, state_of(net), strict=True):
        assert old.keys() == new.keys() and all((old[k] == new[k]).all() for k in old)
    assert (net.calls, net.seen, net.programs, net._history) == (calls, seen, programs, history)
    assert net.seen is own and net._active is active
    assert not capsys.readouterr().out
    assert found.printed > 0 and "characters" in found.to_text()


def test_a_net_that_waits_for_its_shapes_goes_on_waiting():
    net = nn.Dense(2)
    net.initialize()
    generators = dict(array_modules._generators)
    measured(net, X)
    assert net.weight.shape == (2, 0) and net.weight._data is None
    assert array_modules._generators == generators
    assert net(X).shape == (2, 2)


def test_gradients_of_the_input_are_left_alone():
    x = nd.ones((2, 3))
    x.attach_grad()
    net = nn.Dense(2)
    net.initialize()
    measured(net, x, loss=lambda out: out.sum())
    assert not x.grad.asnumpy().any()


class Failing(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.scale = self.params.get("scale", shape=(1,), init="ones")

    def hybrid_forward(self, F, x, scale):
        return x * x.shape[0] * float(scale.asnumpy()[0])


def test_an_error_leaves_everything_as_it_was():
    net = Failing()
    net.initialize()
    before = net.scale.data()
    with pytest.raises(AttributeError, match="no attribute 'shape'") as caught:
        measured(net, X)
    assert any("'hybridized'" in note and "has been restored" in note for note in caught.value.__notes__)
    assert net.scale.data() is before and not net._active
    assert net(X).shape == (2, 3)
    assert not autograd.is_recording()


# --- what it is given ---


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: compare(nn.Dense(2)), "inputs of the net contain no array"),
        (lambda: compare(nn.Dense(2), "x"), "inputs of the net contain no array"),
        (lambda: compare(lambda x: x, X), "only a Block can be measured, not function"),
        (lambda: compare(nn.Sequential(), X), "nothing to hybridize"),
        (lambda: compare(nn.Dense(2), X, ways=["hybridized"]), "ways must be 'imperative', followed by any of"),
        (lambda: compare(nn.Dense(2), X, ways=["imperative", "fast"]), "ways must be 'imperative', followed by any of"),
        (lambda: compare(nn.Dense(2), X, rounds=1), "rounds must be at least 2"),
        (lambda: compare(nn.Dense(2), X, label=X), "A label needs a loss"),
        (lambda: compare_over(nn.Dense(2), [], X), "positive integers"),
        (lambda: compare_over(nn.Dense(2), [0], X), "positive integers"),
        (lambda: compare_over(nn.Dense(2), [1]), "inputs of the net contain no array"),
        (lambda: compare_over(nn.Dense(2), [1], X, ways=["imperative"]), "at least one mode besides 'imperative'"),
        (lambda: compare_over(nn.Dense(2), [1], X, ways=["imperative", "hybridized", "hybridized"]), "at most once"),
    ],
)
def test_bad_input_is_refused_in_words(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


# --- over several values ---


def test_over_batch_sizes_the_inputs_get_them():
    shapes = collections.deque()  # a list would be put back

    class Watching(nn.HybridBlock):
        def hybrid_forward(self, F, x):
            if hasattr(x, "shape"):
                shapes.append(x.shape)
            return x * 2

    sweep = compare_over(Watching(), [5, 1], X, rounds=5, seconds=0, progress=False)
    assert sweep.values == [1, 5] and set(shapes) == {(1, 3), (5, 3)}
    assert sweep.what == "batch size"
    assert [c.inputs for c in sweep.measured.values()] == ["float32 (1, 3)", "float32 (5, 3)"]


def ticking_over(speed_ups):
    """Return a sweep whose speed-ups are these."""
    nets = {value: Ticking(factor, 1.0) for value, factor in speed_ups.items()}
    now = [0.0]
    for net in nets.values():
        net.now = now
    return compare_over(
        lambda depth: nets[depth], list(nets), X, profile=False, progress=False, clock=lambda: now[0]
    )  # fmt: skip


def test_where_the_gain_vanishes():
    sweep = ticking_over({1: 4.0, 2: 2.0, 4: 1.0, 8: 0.5})
    assert sweep.what == "depth" and sweep.gain_vanishes_at() == 4
    assert sweep.sentence == "The gain vanishes at depth 4."
    assert [row[2] for row in sweep.rows()] == ["4.00× (4.00× – 4.00×)", "2.00× (2.00× – 2.00×)",
                                                "1.00× (1.00× – 1.00×)", "0.50× (0.50× – 0.50×)"]  # fmt: skip


def test_a_gain_that_comes_back_has_not_vanished():
    sweep = ticking_over({1: 4.0, 2: 1.0, 4: 2.0})
    said = "Hybridized, the net is faster at the largest measured depth, 4, but not at 2."
    assert sweep.gain_vanishes_at() is None and sweep.sentence == said
    assert "also faster at the largest measured depth, 4" in ticking_over({1: 4.0, 4: 2.0}).sentence


def test_no_gain_anywhere():
    assert "had no measurable gain" in ticking_over({1: 1.0, 2: 0.5}).sentence


def test_values_are_measured_when_they_are_asked_for():
    made = collections.deque()

    def factory(depth):
        made.append(depth)
        net = nn.HybridSequential()
        net.add(*[nn.Dense(3) for _ in range(depth)])
        net.initialize()
        return net

    sweep = compare_over(factory, [1, 2, 3], X, measure=False, rounds=5, seconds=0, progress=False)
    assert not made and not sweep.measured and not sweep.to_dict()["comparisons"]
    assert "not measured" in sweep.to_text() and sweep.to_html()
    with pytest.raises(ValueError, match="Nothing has been measured"):
        sweep.plot()
    sweep.look_at(2)
    sweep.look_at(2)
    assert list(made) == [2] and sweep.current == 2 and sorted(sweep.measured) == [2]
    sweep.measure(2)
    assert list(made) == [2, 2]
    with pytest.raises(ValueError, match="must be one of"):
        sweep.measure(7)


# --- to be seen ---


@pytest.fixture(scope="module")
def comparison():
    net = nn.HybridSequential()
    net.add(nn.Dense(4, activation="relu"), nn.Dense(2))
    net.initialize()
    return compare(net, X, rounds=5, seconds=0.01, progress=False)


def test_the_text_fits_a_terminal_and_has_all_numbers(comparison):
    table = comparison.to_text().split("\n\n")[1]
    assert max(map(len, table.split("\n"))) <= 120
    for row in comparison.rows():
        assert all(cell in table for cell in row)


def test_the_picture_is_small_and_has_the_numbers_of_the_table(comparison):
    pytest.importorskip("matplotlib")
    svg = comparison.picture().text
    assert len(svg) < 25_000 and "<style" not in svg and "One call" in svg
    for times, row in zip(comparison.times, comparison.rows(), strict=True):
        assert row[1] in svg
        if times.way != "imperative" and comparison.gain(times.way) != "unclear":
            assert row[3].partition(" (")[0] in svg
    page = comparison.to_html()
    assert len(page) < 45_000 and 'src="data:image/svg+xml,' in page and "<svg" not in page


def test_everything_in_chinese(comparison):
    with mx.config(lang="zh"):
        text, page = comparison.to_text(), comparison.to_html()
    assert "加速比" in text and "测量方法" in page
    left = re.findall(r"\b(?:median|quartiles|calls|paid|measured)\b", text.replace("net.explain", ""))
    assert not left


def test_a_figure_is_made_without_touching_pyplot(comparison):
    pytest.importorskip("matplotlib")
    assert comparison.plot().axes[0].get_title(loc="left") == "One call"


def test_comparing_needs_no_matplotlib():
    program = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from d2lhybrid import compare, nd\nfrom d2lhybrid.gluon import nn\n"
        "net = nn.Dense(2); net.initialize()\n"
        "found = compare(net, nd.ones((2, 3)), rounds=5, seconds=0.01)\n"
        "assert '<img' not in found.to_html() and found.picture() is None\n"
        "print(found.to_text())"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "hybridized" in done.stdout


def test_measuring_again_replaces_the_times(comparison):
    old = comparison.times
    shares = []
    comparison.measure(shares.append)
    assert comparison.times is not old and shares[-1] == 1 and shares == sorted(shares)


# --- what benchmark() collects ---


def test_benchmark_collects_what_it_prints(capsys):
    benchmark.results.clear()
    for _ in range(3):
        with benchmark("Before: %.4f sec"):
            pass
    with benchmark("After"):
        pass
    printed = capsys.readouterr().out
    assert re.fullmatch(r"(Before: \d\.\d{4} sec\n){3}After: \d\.\d{4} sec\n", printed)
    found = benchmark.summary()
    assert found.counts == {"Before": 3, "After": 1}
    assert found.spreads["Before"] == spread([s for d, s in benchmark.results if d.startswith("Before")])
    assert "<img" in found.to_html()
    benchmark.results.clear()


def test_nothing_collected_says_so():
    empty = "benchmark() has not measured anything yet."
    assert empty in Collected([]).to_text() and empty in Collected([]).to_html()


def test_arrays_of_np_are_timed_too():
    subject = Subject(nn.HybridLambda(lambda F, x: x * 2), (mx.np.ones((2, 3)),))
    assert subject.described_inputs == "float32 (2, 3)"
