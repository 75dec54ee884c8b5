"""check_hybridization finds what a net reads of Python's state, and says nothing of what cannot change."""

import collections
import contextvars
import ctypes
import functools
import json
import logging
import os
import subprocess
import sys
import threading
import types
import warnings

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.gluon import nn, rnn

X = nd.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
factor = 2
SIZE = 3
COUNT = 1
TABLE = {"scale": 2.0}
KEPT = []
logger = logging.getLogger(__name__)
settings = types.SimpleNamespace(scale=2.0)


def count_up():
    global COUNT
    COUNT += 1
    TABLE["scale"] += 1


class Settings:
    scale = 2.0
    WIDTH = 3


class GlobalVariable(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x * factor  # here


class ChangedConstant(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x * COUNT  # here


class ChangedTable(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x * TABLE["scale"]  # here


class OfAnotherClass(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x * Settings.scale  # here


class ClassAttribute(nn.HybridBlock):
    scale = 2.0

    def hybrid_forward(self, F, x):
        return x * self.scale  # here


class Property(nn.HybridBlock):
    @property
    def scale(self):
        return 2.0

    def hybrid_forward(self, F, x):
        return x * self.scale  # here


class PropertyOfTheEnvironment(nn.HybridBlock):
    @property
    def scale(self):
        return len(os.environ.get("HOME", ""))  # here

    def hybrid_forward(self, F, x):
        return x * (1 + self.scale)


class Environment(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x * float(os.environ.get("A_FACTOR", "2"))  # here


class EnvironmentByFunction(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x * 2 if os.getenv("A_FACTOR") else x  # here


class File(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        with open(__file__, encoding="utf-8") as stream:  # here
            return x * len(stream.readline())


def length_of_this_file():
    with open(__file__, encoding="utf-8") as stream:  # here
        return len(stream.read())


class FileByHelper(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x * length_of_this_file()


def scaled(x):
    return x * factor  # here


class GlobalByHelper(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return scaled(x)


class Thread(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x * (threading.get_ident() % 7)  # here


class ThreadName(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x * len(threading.current_thread().name)  # here


class Device(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x * (1 + mx.current_context().device_id)  # here


class KeepingASymbol(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.last = None

    def hybrid_forward(self, F, x):
        y = F.relu(x)
        self.last = y  # here
        return y * 2


class KeepingSymbols(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        KEPT.append(x)  # here
        return x * 2


class UsingAKeptSymbol(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.other = mx.sym.var("other")

    def hybrid_forward(self, F, x):
        return F.elemwise_add(x, self.other)  # here


class Logging(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        logger.debug("called")  # here
        return x * 2


class LoggingByModule(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        logging.debug("called")  # here
        return x * 2


class WritingErrors(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        sys.stderr.write("called\n")  # here
        return x * 2


class PrintingErrors(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        print("called", file=sys.stderr)  # here
        return x * 2


class Warning_(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        warnings.warn("called", stacklevel=2)  # here
        return x * 2


class OnesOfABatch(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return F.elemwise_add(x, F.ones((2, 3)))  # here


class ZerosOfABatch(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return F.concat(x, F.zeros(shape=(2, 1)), dim=1)  # here


def closure():
    scale = 2.0

    class Net(nn.HybridBlock):
        def hybrid_forward(self, F, x):
            return x * scale  # here

    return Net()


def changed_closure():
    scale = 2.0

    def change():
        nonlocal scale
        scale += 1

    net = nn.HybridLambda(lambda F, x: x * scale)  # here
    net.change = change
    return net


def closure_of_a_list():
    scale = [2.0]
    return nn.HybridLambda(lambda F, x: x * scale[0])  # here


class Scale:
    def __call__(self):
        return factor  # here

    def double(self):
        return 2 * factor  # here


class Described:
    def __get__(self, instance, owner):
        return 2.0


scale_of = Scale()
half = functools.partial(lambda weight, x: weight * x * factor, 0.5)  # here
tables = {"scale": scaled}
local = threading.local()
local.scale = 2.0
VARIABLE = contextvars.ContextVar("scale", default=2.0)
numbers = numpy.array([2.0])
several = collections.deque([2.0])
in_c = (ctypes.c_double * 1)(2.0)


def times_factor(function):
    @functools.wraps(function)
    def inner(self, F, x):
        return function(self, F, x)

    return inner


def net_of(function):
    """Return a function that makes a block with this hybrid_forward."""
    return lambda: type("Net", (nn.HybridBlock,), {"hybrid_forward": function})()


class WithDescriptor(nn.HybridBlock):
    scale = Described()

    def hybrid_forward(self, F, x):
        return x * self.scale  # here


class Decorated(nn.HybridBlock):
    @times_factor
    def hybrid_forward(self, F, x):
        return x * factor  # here


class ReadingAParameter(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.__dict__["weight"] = gluon.Parameter("weight", shape=(1,))
        self.weight.initialize(mx.init.One())

    def hybrid_forward(self, F, x):
        return x * float(self.weight.data().asnumpy()[0])  # here


FOUND = {
    "an object that is called": (net_of(lambda self, F, x: x * scale_of()), "variable", "factor is frozen at 2"),
    "a method of an object": (net_of(lambda self, F, x: x * scale_of.double()), "variable", "factor is frozen at 2"),
    "an object that is made and called": (
        net_of(lambda self, F, x: x * Scale()()),
        "variable",
        "factor is frozen at 2",
    ),
    "a partial function": (net_of(lambda self, F, x: half(x)), "variable", "factor is frozen at 2"),
    "a function in a table": (net_of(lambda self, F, x: tables["scale"](x)), "variable", "factor is frozen at 2"),
    "a function that is handed on": (
        net_of(lambda self, F, x: next(map(scaled, [x]))),
        "variable",
        "factor is frozen at 2",
    ),
    "a function in a decorator": (Decorated, "variable", "factor is frozen at 2"),
    "an attribute of an object": (
        net_of(lambda self, F, x: x * settings.scale),
        "variable",
        "settings.scale is frozen at 2.0",
    ),
    "a descriptor": (WithDescriptor, "attribute", "self.scale is frozen at 2.0"),
    "an array of NumPy": (net_of(lambda self, F, x: x * float(numbers[0])), "variable", "numbers is frozen at array"),
    "a queue": (net_of(lambda self, F, x: x * several[0]), "variable", "several is frozen at deque"),
    "memory of C": (net_of(lambda self, F, x: x * in_c[0]), "variable", "in_c is frozen at <"),
    "a variable of a thread": (net_of(lambda self, F, x: x * local.scale), "thread", "local.scale"),
    "a context variable": (net_of(lambda self, F, x: x * VARIABLE.get()), "thread", "VARIABLE.get()"),
    "the files of a folder": (net_of(lambda self, F, x: x * len(os.listdir("/"))), "environment", "os.listdir('/')"),
    "a process": (net_of(lambda self, F, x: x * len(subprocess.getoutput(""))), "environment", "subprocess.getoutput"),
    "a limit": (net_of(lambda self, F, x: x * sys.getrecursionlimit()), "environment", "sys.getrecursionlimit()"),
    "NumPy's error state": (net_of(lambda self, F, x: x * len(numpy.geterr())), "thread", "numpy.geterr()"),
    "the value of a parameter": (ReadingAParameter, "variable", "self.weight.data()"),
    "a global variable": (GlobalVariable, "variable", "factor is frozen at 2"),
    "a constant that a function changes": (ChangedConstant, "variable", "COUNT is frozen at 1"),
    "a table that a function changes": (ChangedTable, "variable", "TABLE is frozen at {'scale': 2.0}"),
    "a global variable, in a helper": (GlobalByHelper, "variable", "factor is frozen at 2"),
    "an attribute of another class": (OfAnotherClass, "variable", "Settings.scale is frozen at 2.0"),
    "a closure's cell": (closure, "variable", "scale is frozen at 2.0"),
    "a closure's cell that changes": (changed_closure, "variable", "scale is frozen at 2.0"),
    "a list in a closure's cell": (closure_of_a_list, "variable", "scale is frozen at [2.0]"),
    "a class attribute": (ClassAttribute, "attribute", "self.scale is frozen at 2.0"),
    "a property": (Property, "attribute", "self.scale is frozen at 2.0"),
    "the environment in a property": (PropertyOfTheEnvironment, "environment", "os.environ"),
    "the environment": (Environment, "environment", "os.environ"),
    "the environment by a function": (EnvironmentByFunction, "environment", "os.getenv('A_FACTOR')"),
    "a file": (File, "file", "test_check_python_state.py"),
    "a file in a helper": (FileByHelper, "file", "test_check_python_state.py"),
    "the thread's id": (Thread, "thread", "threading.get_ident()"),
    "the thread's name": (ThreadName, "thread", "threading.current_thread()"),
    "the current context": (Device, "context", "mx.current_context()"),
    "a symbol that is kept": (KeepingASymbol, "kept", "`self.last` keeps a Symbol"),
    "symbols in a list": (KeepingSymbols, "kept", "`KEPT` keeps a Symbol"),
    "a symbol of another trace": (UsingAKeptSymbol, "kept", "`self.other` is a Symbol"),
    "a logger": (Logging, "print", "logger.debug"),
    "logging": (LoggingByModule, "print", "logging.debug"),
    "the standard error": (WritingErrors, "print", "sys.stderr.write"),
    "print to the standard error": (PrintingErrors, "print", "sys.stderr"),
    "warnings": (Warning_, "print", "warnings.warn"),
    "ones of a fixed batch": (OnesOfABatch, "batch size", "(2, 3)"),
    "zeros of a fixed batch": (ZerosOfABatch, "batch size", "(2, 1)"),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_is_read_of_python_is_found(name, capfd):
    make, kind, text = FOUND[name]
    net = make()
    kept = list(KEPT)
    findings = mx.check_hybridization(net, X)
    found = [f for f in findings.of_kind(kind) if text in f.what]
    assert found, str(findings)
    assert "# here" in found[0].code or "net_of(lambda" in found[0].code
    assert found[0].filename == __file__
    assert found[0].why and found[0].remedy and found[0].page
    assert kept == KEPT


def test_findings_speak_chinese():
    with mx.config(lang="zh"):
        for name in FOUND:
            make, kind, _ = FOUND[name]
            for found in mx.check_hybridization(make(), X).of_kind(kind):
                assert not any(part.isascii() and part for part in (found.what, found.why, found.remedy)), found


def make_activation(act):
    return nn.HybridLambda(lambda F, x: F.Activation(x, act_type=act))


def relu_of(F, x):
    return F.relu(x)


class WithHelper(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return relu_of(F, x) * SIZE + F.concat(x, x, dim=Settings.WIDTH - 2).slice_axis(axis=1, begin=0, end=SIZE)


class WithConstantAttribute(nn.HybridBlock):
    AXIS = 1

    def hybrid_forward(self, F, x):
        return F.softmax(x, axis=self.AXIS)


class WithFeatureOnes(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return F.broadcast_add(x, F.ones((1, 3)))


class WithParameterOfTheBatchSize(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.weight = self.params.get("weight", shape=(2, 3))

    def hybrid_forward(self, F, x, weight):
        return F.dot(x, F.broadcast_mul(weight, F.ones((2, 1))), transpose_b=True)


class WithLayersInADictionary(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Dense(4)
        self.branch = nn.HybridSequential()
        self.branch.add(nn.Dense(4, activation="tanh"), nn.LayerNorm())

    def hybrid_forward(self, F, x):
        return F.concat(self.hidden(x), self.branch(x), dim=1)


IMAGES = nd.ones((2, 3, 32, 32))


def chosen(kind):
    return {"relu": scaled}[kind]


def generate():
    while True:
        yield 2.0


generator = generate()
_names = {}
exec("def hybrid_forward(self, F, x):\n    return x * 2", _names)

#: What is not looked into -> the net, the piece of program that is named, and what is said of it.
UNSEEN = {
    "a computed name": (net_of(lambda self, F, x: x * getattr(settings, "sca" + "le")), "getattr(settings,", "known"),
    "a computed name in a module": (net_of(lambda self, F, x: x * globals()["fac" + "tor"]), "globals()", "known"),
    "the dictionary of the block": (net_of(lambda self, F, x: x * vars(self).get("a", 2)), "vars(self)", "known"),
    "its attribute": (net_of(lambda self, F, x: x * self.__dict__.get("a", 2)), "self.__dict__", "known"),
    "eval": (net_of(lambda self, F, x: eval("x * factor")), "eval(", "known"),
    "a function that is chosen": (net_of(lambda self, F, x: chosen("relu")(x)), "chosen('relu')(x)", "which function"),
    "a library in C": (net_of(lambda self, F, x: x * len(str(ctypes.CDLL(None)))), "CDLL(None)", "of ctypes"),
    "Python's library": (net_of(lambda self, F, x: x * json.loads("2")), "json.loads", "of json"),
    "an installed package": (net_of(lambda self, F, x: x * len(repr(pytest.approx(2.0)))), "approx", "of _pytest"),
    "a generator": (net_of(lambda self, F, x: x * next(generator)), "next(generator)", "cannot be restored"),
    "no text": (net_of(_names["hybrid_forward"]), "hybrid_forward", "no readable source"),
}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", UNSEEN)
def test_what_is_not_looked_into_is_named(name, lang):
    make, code, text = UNSEEN[name]
    with mx.config(lang=lang):
        findings = mx.check_hybridization(make(), X)
        printed = str(findings)
    said = [line for line in findings.unseen if code in line]
    assert len(said) == 1, findings.unseen
    assert findings.as_dict()["unseen"] == findings.unseen
    assert code in printed
    assert (text in said[0] and "Not examined" in printed) if lang == "en" else "没有检查下面这些地方" in printed
    assert said[0].isascii() is (lang == "en")


def test_of_ordinary_nets_everything_is_looked_into():
    for make, x in INNOCENT.values():
        net = make()
        net.initialize()
        assert not mx.check_hybridization(net, x, modes=("predict",), seeds=(0,)).unseen


class ChoosingALayer(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.layer0, self.layer1 = nn.Dense(3, in_units=3), nn.Dense(3, in_units=3)

    def hybrid_forward(self, F, x):
        x = getattr(self, "layer" + str(0))(x)
        return getattr(F, self.activation())(getattr(self, "layer" + str(1))(x)).reshape((0, -1))

    def activation(self):
        return "tanh"


INNOCENT = {
    "layers by their names": (ChoosingALayer, X),
    "a factory's argument": (lambda: make_activation("tanh"), X),
    "helpers and constants": (WithHelper, X),
    "a constant of a class": (WithConstantAttribute, X),
    "ones of the features": (WithFeatureOnes, X),
    "a parameter with the batch's size": (WithParameterOfTheBatchSize, X),
    "branches": (WithLayersInADictionary, X),
    "embedding": (lambda: nn.Embedding(9, 4), nd.array([[1, 2], [3, 4]])),
    "layer norm": (nn.LayerNorm, X),
    "instance norm": (nn.InstanceNorm, IMAGES),
    "group norm": (lambda: nn.GroupNorm(1), IMAGES),
    "PReLU": (nn.PReLU, X),
    "swish": (nn.Swish, X),
    "GELU": (nn.GELU, X),
    "concurrent": (lambda: concurrent(), X),
    "transposed convolution": (lambda: nn.Conv2DTranspose(2, 3), IMAGES),
    "LSTM": (lambda: rnn.LSTM(3), nd.ones((4, 2, 3))),
    "ResNet": (lambda: gluon.model_zoo.vision.resnet18_v1(classes=4), IMAGES),
    "MobileNet": (lambda: gluon.model_zoo.vision.mobilenet_v2_0_25(classes=4), IMAGES),
}


def concurrent():
    net = gluon.contrib.nn.HybridConcurrent(axis=1)
    net.add(nn.Dense(2), nn.Dense(3))
    return net


@pytest.mark.parametrize("name", INNOCENT)
def test_what_cannot_change_is_no_finding(name):
    make, x = INNOCENT[name]
    net = make()
    net.initialize()
    findings = mx.check_hybridization(net, x, modes=("predict",), seeds=(0,))
    assert not findings, str(findings)


LOSSES = ["L2Loss", "L1Loss", "SoftmaxCrossEntropyLoss", "SigmoidBCELoss", "HuberLoss", "HingeLoss", "LogisticLoss"]


@pytest.mark.parametrize("name", LOSSES)
def test_losses_have_no_findings(name):
    labels = nd.array([0, 1]) if name == "SoftmaxCrossEntropyLoss" else X
    findings = mx.check_hybridization(getattr(gluon.loss, name)(), X, labels, modes=("predict",), seeds=(0,))
    assert not findings, str(findings)


@pytest.mark.parametrize("cell", [rnn.RNNCell, rnn.LSTMCell, rnn.GRUCell])
def test_cells_have_no_findings(cell):
    net = cell(3)
    net.initialize()
    states = [nd.ones((2, 3)) for _ in net.state_info()]
    findings = mx.check_hybridization(net, X, states, modes=("predict",), seeds=(0,))
    assert not findings.differences and not findings.frozen, str(findings)


def test_files_and_streams_are_as_before():
    opened, errors = open, sys.stderr
    mx.check_hybridization(File(), X)
    assert open is opened and sys.stderr is errors


@pytest.mark.parametrize("scope", [autograd.pause, autograd.predict_mode, autograd.train_mode, autograd.record])
def test_scopes_of_autograd_inside_are_named(scope):
    class Net(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            with scope():
                mean = F.mean(x)
            return F.broadcast_sub(x, mean.reshape((1, 1)))

    findings = mx.check_hybridization(Net(), nd.random.normal(shape=(2, 3)))
    assert any("`scope()`: a graph has no scopes" in text for text in findings.unseen)
