"""check_hybridization finds every trap of hybridization, names the line, and finds nothing in sound nets."""

import linecache
import random
import time

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.gluon import nn

X = nd.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
CALLS = [0]
OFFSETS = nd.array([10.0, 20.0, 30.0])


class Printing(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        print("an x of type", type(x).__name__)  # here
        return x * 2


class Counting(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        CALLS[0] += 1  # here
        return x + CALLS[0]


class CountingItself(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def hybrid_forward(self, F, x):
        self.calls += 1  # here
        return x + self.calls


class AskingTheMode(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        x = F.relu(x)
        return x * 10 if autograd.is_training() else x  # here


class BranchingOnTheMode(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        if autograd.is_training():  # here
            x = F.tanh(x)
        return x + 1


class BranchingOnAValue(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        if x.sum() > 0:  # here
            return x
        return -x


class ReadingShape(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x * x.shape[0]  # here


class ReadingDtype(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x if x.dtype == "float16" else x * 2  # here


class ReadingContext(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x if x.context == mx.cpu() else x * 2  # here


class IndexingTwice(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x[0, 0]  # here


class IndexingZero(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x[0]  # here


class IndexingZeroInside(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        y = F.relu(x)
        y = F.tanh(y[0])  # here
        return y * 2


class IndexingOne(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x[1]  # here


class Slicing(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x[:, 1:2]  # here


class Assigning(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        x[0] = 2  # here
        return x


class AddingInPlace(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        x += 1  # here
        return x


class ReadingValues(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x * float(x.asnumpy().max())  # here


class Iterating(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return F.add_n(*[row + 0 for row in x])  # here


class Measuring(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x * len(x)  # here


class Broadcasting(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x + F.ones((1, 1))  # here


class CallingArrays(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return nd.relu(x)  # here


class MakingArrays(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x * F.array([2.0])  # here


class CallingNumpy(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return numpy.exp(x)  # here


class DrawingInPython(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x + random.random()  # here


class DrawingInNumpy(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x + float(numpy.random.rand())  # here


class ReadingTheClock(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x + 0 * time.perf_counter()  # here


class IgnoringAnInput(nn.HybridBlock):
    def hybrid_forward(self, F, x, y):  # here
        return x * 2


class IgnoringALayer(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.used = nn.Dense(2)
        self.forgotten = nn.Dense(2, in_units=3)

    def hybrid_forward(self, F, x):  # here
        return self.used(x)


class ListOfBlocks(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Dense(2), nn.Dense(2)]

    def hybrid_forward(self, F, x):
        for layer in self.layers:  # here
            x = layer(x)
        return x


class Plain(nn.Block):
    def forward(self, x):  # here
        return x * 1


class OptionalInput(nn.HybridBlock):
    def hybrid_forward(self, F, x, y=None):  # here
        if y is None:
            return x
        return x + y


class TakingANumber(nn.HybridBlock):
    def hybrid_forward(self, F, x, factor):
        return x * factor


class Nesting(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x, [x * 2, (x * 3,)]  # here


class ReturningADictionary(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return {"y": x}  # here


class ReturningNothing(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        F.relu(x)
        return None  # here


def report(block, inputs, output):  # here
    print("hook")


class Scaling(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.factor = 2

    def hybrid_forward(self, F, x):
        return x * self.factor  # here


class Repeating(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.times = 3

    def hybrid_forward(self, F, x):
        for _ in range(self.times):  # here
            x = F.tanh(x)
        return x


class CapturingAnArray(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return F.broadcast_add(x, OFFSETS)  # here


class FixingTheBatch(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return F.reshape(x, (2, -1))  # here


class Overriding(nn.HybridBlock):
    def forward(self, x):  # here
        return x * 2


class Empty(nn.HybridBlock):
    pass


def hooked():
    net = nn.HybridSequential()
    net.add(nn.Dense(2))
    net[0].register_forward_hook(report)
    return net


def with_plain_block():
    net = nn.Sequential()
    net.add(nn.Dense(2), Plain())
    return net


# The trap, its block, its kind, a class whose line "# here" is meant (None: no line), a key word; further inputs.
TRAPS = {
    "print once": (Printing, "print", Printing, "never again"),
    "python counter side effect": (Counting, "counter", Counting, "CALLS"),
    "counter in an attribute": (CountingItself, "counter", CountingItself, "self.calls"),
    "branch on is training baked": (AskingTheMode, "branch", AskingTheMode, "is_training"),
    "branch statement on is training": (BranchingOnTheMode, "branch", BranchingOnTheMode, "not taken"),
    "branch on value": (BranchingOnAValue, "error", BranchingOnAValue, "F.where"),
    "shape attr": (ReadingShape, "error", ReadingShape, "no shape"),
    "dtype attr": (ReadingDtype, "error", ReadingDtype, "no dtype"),
    "context attr": (ReadingContext, "error", ReadingContext, "no device"),
    "index two": (IndexingTwice, "error", IndexingTwice, "F.slice_axis"),
    "index zero silently differs": (IndexingZero, "silent", IndexingZero, "first row"),
    "index zero in a chain": (IndexingZeroInside, "shape", IndexingZeroInside, "tanh"),
    "index one": (IndexingOne, "error", IndexingOne, "F.slice_axis"),
    "slice index": (Slicing, "error", Slicing, "F.slice"),
    "item assignment": (Assigning, "error", Assigning, "Values in a graph cannot change"),
    "inplace add": (AddingInPlace, "error", AddingInPlace, "x = x + y"),
    "asnumpy": (ReadingValues, "error", ReadingValues, "no values"),
    "len and iteration": (Iterating, "silent", Iterating, "F.split"),
    "len": (Measuring, "silent", Measuring, "counts the rows"),
    "plus does not broadcast": (Broadcasting, "error", Broadcasting, "broadcast_add"),
    "nd inside hybrid forward": (CallingArrays, "error", CallingArrays, "F.relu"),
    "F array": (MakingArrays, "error", MakingArrays, "F.ones"),
    "numpy function on symbol": (CallingNumpy, "error", CallingNumpy, "function of the same name in F"),
    "python random frozen": (DrawingInPython, "random", DrawingInPython, "F.random.uniform"),
    "numpy random frozen": (DrawingInNumpy, "random", DrawingInNumpy, "constant of the graph"),
    "clock frozen": (ReadingTheClock, "time", ReadingTheClock, "clock"),
    "unused input": (IgnoringAnInput, "unused", IgnoringAnInput, "1-th input", X),
    "unused parameter": (IgnoringALayer, "unused", IgnoringALayer, "Parameter"),
    "list of blocks": (ListOfBlocks, "unregistered", ListOfBlocks, "HybridSequential"),
    "sequential hybridize with plain block": (with_plain_block, "not compiled", Plain, "runs in every call"),
    "arg structure changes": (OptionalInput, "arguments", OptionalInput, "first call decides"),
    "list and scalar args": (TakingANumber, "error", None, "constructor", 3),
    "nested outputs": (Nesting, "structure", Nesting, "lists, not tuples"),
    "dict output": (ReturningADictionary, "error", ReturningADictionary, "convert a dictionary to a list"),
    "no output": (ReturningNothing, "error", ReturningNothing, "return"),
    "hooks after hybridize": (hooked, "hook", report, "calls no blocks"),
    "change python attr after hybridize": (Scaling, "attribute", Scaling, "self.factor is frozen at 2"),
    "loop": (Repeating, "loop", Repeating, "run 3 times"),
    "constant captured ndarray": (CapturingAnArray, "error", CapturingAnArray, "gluon.Constant"),
    "reshape and flatten batch": (FixingTheBatch, "batch size", FixingTheBatch, "0 keeps"),
    "override forward in hybridblock": (Overriding, "not compiled", Overriding, "overrides forward"),
    "not implemented forward": (Empty, "error", None, "NotImplementedError"),
    "numpy input": (lambda: nn.Dense(2), "error", None, "one NDArray or one Symbol"),
    "call uninitialized": (lambda: nn.Dense(2, in_units=3), "error", None, "has not been initialized"),
}


def marked_line(thing):
    start = getattr(thing, "__code__", None)
    first = start.co_firstlineno if start else _class_line(thing)
    lines = linecache.getlines(__file__)
    return next(i for i in range(first, len(lines) + 1) if "# here" in lines[i - 1])


def _class_line(cls):
    return 1 + next(i for i, t in enumerate(linecache.getlines(__file__)) if t.startswith(f"class {cls.__name__}("))


@pytest.mark.parametrize("name", TRAPS)
def test_every_trap_is_found_and_explained(name):
    make, kind, place, word, *further = TRAPS[name]
    net = make()
    if name != "call uninitialized":
        net.initialize()
    CALLS[0] = 0
    inputs = (X.asnumpy(),) if name == "numpy input" else (X, *further)
    findings = mx.check_hybridization(net, *inputs)
    found = findings.of_kind(kind)
    assert found, str(findings)
    first = found[0]
    if place is None:
        assert first.line == 0, str(findings)
    else:
        assert first.filename == __file__ and first.line == marked_line(place), str(findings)
        assert first.code in str(findings)
    assert word in f"{first.what} {first.why} {first.remedy}", str(findings)
    assert first.remedy or place is None, str(findings)
    assert CALLS == [0]


def lenet():
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, kernel_size=5, padding=2, activation="sigmoid"), nn.AvgPool2D(2), nn.Flatten())
    net.add(nn.Dense(10, activation="relu"), nn.Dense(3))
    return net


class MLP(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Dense(8)
        self.output = nn.Dense(2)

    def hybrid_forward(self, F, x):
        return self.output(F.relu(self.hidden(x)))


class Residual(nn.HybridBlock):
    def __init__(self, channels, shortcut):
        super().__init__()
        self.conv = nn.Conv2D(channels, kernel_size=3, padding=1)
        self.norm = nn.BatchNorm()
        self.shortcut = nn.Conv2D(channels, kernel_size=1) if shortcut else None

    def hybrid_forward(self, F, x):
        y = self.norm(self.conv(x))
        if self.shortcut:
            x = self.shortcut(x)
        return F.relu(x + y)


def residual():
    net = nn.HybridSequential()
    net.add(Residual(3, True), Residual(3, False), nn.GlobalAvgPool2D(), nn.Dropout(0.5), nn.Dense(2))
    return net


class Weighted(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.weight = self.params.get("weight", shape=(3,))

    def hybrid_forward(self, F, x, weight):
        return F.broadcast_mul(x, F.Dropout(weight, 0.5))


IMAGES = nd.array(numpy.random.default_rng(0).standard_normal((2, 1, 8, 8)))
SOUND = {
    "LeNet": (lenet, IMAGES),
    "MLP": (MLP, X),
    "residual net": (residual, IMAGES),
    "batchnorm modes": (nn.BatchNorm, X),
    "dropout modes": (lambda: nn.Dropout(0.5), X),
    "random in graph": (lambda: nn.HybridLambda(lambda F, x: F.broadcast_add(x, F.random.uniform(shape=(1, 1)))), X),
    "parameter": (Weighted, X),
    "two dropouts": (lambda: nn.HybridLambda(lambda F, x: F.Dropout(x, 0.5) - F.Dropout(x * 2, 0.3)), X),
}


@pytest.mark.parametrize("name", SOUND)
def test_sound_nets_have_no_findings(name):
    make, x = SOUND[name]
    net = make()
    net.initialize()
    findings = mx.check_hybridization(net, x)
    assert not findings, str(findings)
    assert findings.runs and "results are the same" in str(findings)


@pytest.mark.parametrize("hybridized", [False, True])
def test_the_net_is_left_as_it_was(hybridized):
    net = residual()
    net.initialize()
    if hybridized:
        net.hybridize()
    expected = net(IMAGES).asnumpy()
    params = net.collect_params()
    arrays = {n: (p.data(), p.data().asnumpy(), p.grad() if p.grad_req != "null" else None) for n, p in params.items()}
    programs, history = net.programs, list(net._history)
    mx.random.seed(3)
    random.seed(3)
    mx.check_hybridization(net, IMAGES)
    drawn = nd.random.uniform(shape=(3,)).asnumpy(), random.random()
    mx.random.seed(3)
    random.seed(3)
    assert drawn[1] == random.random()
    numpy.testing.assert_array_equal(drawn[0], nd.random.uniform(shape=(3,)).asnumpy())
    for name, (array, value, grad) in arrays.items():
        assert params[name].data() is array
        numpy.testing.assert_array_equal(array.asnumpy(), value)
        assert grad is None or params[name].grad() is grad
    assert net.programs == programs and net._active is hybridized and net._history == history
    numpy.testing.assert_array_equal(net(IMAGES).asnumpy(), expected)


def test_a_net_that_waits_for_its_shapes_waits_afterwards_too():
    net = MLP()
    net.initialize()
    assert not mx.check_hybridization(net, X)
    with pytest.raises(gluon.parameter.DeferredInitializationError):
        net.hidden.weight.data()
    assert net(X).shape == (2, 2)


def test_attributes_are_as_before_after_an_error():
    class Failing(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.seen = []

        def hybrid_forward(self, F, x):
            self.seen.append(1)
            return x.shape

    net = Failing()
    seen = net.seen
    findings = mx.check_hybridization(net, X)
    assert net.seen is seen and seen == []
    assert findings.of_kind("error") and findings.of_kind("counter")


def test_arrays_and_random_generators_of_a_net_are_as_before():
    class Net(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.total = nd.zeros((3,))
            self.table = numpy.arange(3.0)
            self.table.flags.writeable = False
            self.nothing = float("nan")
            self.draw = numpy.random.default_rng(0)

        def hybrid_forward(self, F, x):
            self.total += 1
            return x * self.draw.random() + float(self.table[1]) + 0 * self.nothing

    net = Net()
    total, draw = net.total, net.draw
    findings = mx.check_hybridization(net, X)
    assert net.total is total and net.draw is draw
    assert total.asnumpy().tolist() == [0, 0, 0]
    assert draw.random() == numpy.random.default_rng(0).random()
    assert {f.what.split("`")[1] for f in findings.of_kind("counter")} == {"self.total", "self.draw"}
    assert findings.of_kind("random")


def test_the_first_operator_that_differs_is_named():
    class Net(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.hidden = nn.Dense(3, in_units=3)

        def hybrid_forward(self, F, x):
            y = F.sigmoid(self.hidden(x))
            scale = random.random()
            y = F.tanh(y * scale)
            return self.hidden(y)

    net = Net()
    net.initialize()
    findings = mx.check_hybridization(net, X)
    (found,) = findings.of_kind("value")
    assert "_mul_scalar" in found.what and found.code == "y = F.tanh(y * scale)"
    assert "random.random()" in found.why
    assert findings.as_dict()["differences"]


def test_a_missing_operator_before_the_difference_is_named():
    findings = mx.check_hybridization(BranchingOnTheMode(), X)
    (found,) = findings.of_kind("value")
    assert found.code == "return x + 1" and "only the eager call uses tanh" in found.what


def test_counters_change_the_second_call():
    findings = mx.check_hybridization(CountingItself(), X)
    (found,) = findings.of_kind("value")
    assert "second call" in found.what and "goes from 0 to 1" in found.why


@pytest.mark.parametrize("make", [lambda: gluon.rnn.LSTM(4), lambda: gluon.rnn.GRU(4)])
def test_what_layers_of_the_package_remember_is_no_finding(make):
    net = make()
    net.initialize()
    findings = mx.check_hybridization(net, nd.ones((5, 2, 3)))
    assert not findings, str(findings)


def test_parts_of_a_plain_net_are_checked():
    net = nn.Sequential()
    net.add(nn.Dense(3), Scaling(), IndexingZeroInside())
    net.initialize()
    findings = mx.check_hybridization(net, X)
    assert findings.of_kind("attribute")[0].line == marked_line(Scaling)
    assert findings.of_kind("silent")[0].line == marked_line(IndexingZeroInside)


def test_nothing_is_frozen_in_a_plain_block():
    class Printing(nn.Block):
        def __init__(self):
            super().__init__()
            self.calls = 0

        def forward(self, x):
            self.calls += 1
            print(self.calls)
            return x * self.calls if random.random() < 2 else x

    net = nn.Sequential()
    net.add(nn.Dense(3), Printing())
    net.initialize()
    findings = mx.check_hybridization(net, X)
    assert not findings.frozen and [f.kind for f in findings] == ["not compiled"], str(findings)


@pytest.mark.parametrize("attribute", ["dtype", "shape"])
def test_a_line_that_cannot_be_traced_decides_nothing(attribute):
    net = nn.HybridLambda(lambda F, x: x if getattr(x, attribute) == "no" else x * 2)
    findings = mx.check_hybridization(net, X)
    assert [f.kind for f in findings] == ["error"], str(findings)


def test_numpy_semantics():
    class Net(nn.HybridBlock):
        def hybrid_forward(self, F, x):
            y = F.np.exp(x)
            return y * random.random()

    with mx.util.np_shape(), mx.util.np_array():
        findings = mx.check_hybridization(Net(), mx.np.ones((2, 3)))
        assert findings.of_kind("value")[0].code == "return y * random.random()"


def test_shapes_are_tried():
    net = nn.HybridLambda(lambda F, x: F.relu(x))
    findings = mx.check_hybridization(net, X, shapes=[(7, 3), (2, 3, 4)])
    assert any("shape (7, 3)" in run for run in findings.runs)
    assert any("shape (2, 3, 4)" in run for run in findings.runs)


def test_unknown_modes_are_refused():
    with pytest.raises(ValueError, match="predict"):
        mx.check_hybridization(nn.Dense(2), X, modes=("test",))


def test_seeds_without_an_integer_are_refused_with_their_value():
    with pytest.raises(ValueError, match=r"seeds must contain at least one integer, such as \(0,\), not \[\]"):
        mx.check_hybridization(Printing(), X, seeds=[])


class ComputingNumbers(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.degree = 3

    def hybrid_forward(self, F, x):
        half = 0.5
        squared = self.degree**2
        k = squared + half
        shown = self.degree + 100
        print(shown)
        for i in range(2):
            step = i + self.degree
            x = x * step
        limit = self.degree - 1
        if limit > 0:
            x = x * k
        return x


def test_a_number_that_python_computed_for_an_operator_is_frozen_with_its_value():
    """But no constant of the source, no number that only decides, is printed, or goes into others, or that varies."""
    found = mx.check_hybridization(ComputingNumbers(), X).of_kind("computed")
    assert [(f.name, f.value, f.page) for f in found] == [("k", "9.5", "H53")]
    assert "k = squared + half" in found[0].code and "9.5" in found[0].what
    assert "k is frozen at 9.5" in mx.print_trace(ComputingNumbers(), X).to_text()
