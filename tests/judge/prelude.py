"""What every program begins with; it is read as text, and runs on both sides."""

# ruff: noqa: B905, F401, UP031
# pyright: reportMissingImports=false
# --- printed from here ---
import mxnet as mx
import numpy
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn, rnn

NOISE, SEED = 0, 0  # by how many units in the last place numbers are moved
DTYPE, NUMPY = "float32", False  # of all numbers; and whether arrays are those of mx.np
UNIT = 2.0 ** (-23 if DTYPE == "float32" else -52)
seen = []  # name and value of everything that is compared


def array_of(values):
    """Return numbers as an array of the program's kind."""
    made = nd.array(values, dtype=DTYPE)
    return made.as_np_ndarray() if NUMPY else made


def numbers(seed, shape, low=-1.0, high=1.0):
    """Return random numbers as an array."""
    drawn = numpy.random.RandomState(seed).uniform(low, high, shape)
    moved = 1 + NOISE * UNIT * numpy.random.RandomState(seed + 7919 * SEED).uniform(-1, 1, shape)
    return array_of(drawn * moved if NOISE else drawn)


def whole(seed, shape, below, low=0):
    """Return random whole numbers as an array."""
    return array_of(numpy.random.RandomState(seed).randint(low, below, shape))


def padded(seed, shape, below):
    """Return rows of random whole numbers, of which some end with -1; MXNet mistakes a batch of empty rows alone."""
    drawn = numpy.random.RandomState(seed).randint(-1, below, shape)
    drawn[:, 0] = abs(drawn[:, 0])
    return array_of(drawn)


def mask(seed, shape, share=0.6):
    """Return zeros and ones."""
    return array_of(numpy.random.RandomState(seed).uniform(0, 1, shape) < share)


def parameters(net):
    """Return all parameters, ordered by their names."""
    return [p for _, p in sorted(net.collect_params().items())]


def fill(net):
    """Give every parameter numbers that follow from its place."""
    for i, p in enumerate(parameters(net)):
        if not isinstance(p, gluon.Constant):
            p.set_data(numbers(100 + i, p.shape, 0.3 if p.name.endswith(("var", "gamma")) else -1.0).astype(p.dtype))


def note(name, value):
    """Write down a value, or all values of lists and tuples."""
    if isinstance(value, (list, tuple)):
        for i, one in enumerate(value):
            note("%s %d" % (name, i), one)
    elif value is not None:
        seen.append((name, numpy.array(value.asnumpy() if hasattr(value, "asnumpy") else value)))
        if getattr(value, "stype", "default") == "row_sparse":
            seen.append((name + ", rows", value.indices.asnumpy()))


def watch(name, net, trainer=None):
    """Write down gradients, states, parameters and the learning rate: causes come before effects."""
    for p in parameters(net):
        if p.grad_req != "null":
            note("%s: gradient of %s" % (name, p.name), p.grad())
    if trainer is not None:
        for key, state in sorted(trainer._updaters[0].states.items()):
            note("%s: state of %s" % (name, trainer._params[key].name), state)
    for p in parameters(net):
        note("%s: %s" % (name, p.name), p.data())
    if trainer is not None:
        note("%s: learning rate" % name, trainer.learning_rate)
        note("%s: updates" % name, trainer._optimizer.num_update)


def shapes_of(data, labels, given):
    """Return the shapes of a batch, as ``bind`` takes them."""
    return [[(name, a.shape) for name, a in zip(names, arrays)] for names, arrays in zip((data, labels), given)]


def values_of(net):
    """Return the values of a net, as modules take them: arguments, and auxiliary states."""
    values = [{}, {}]
    for p in parameters(net):
        values[p.name.endswith(("running_mean", "running_var"))][p.name] = p.data()
    return values


def watch_module(name, mod):
    """Write down the gradients, states and parameters of a module."""
    for key, grad in sorted(mod._exec_group.execs[0].grad_dict.items()):
        note("%s: gradient of %s" % (name, key), grad)
    for key, state in sorted(mod._updater.states.items()):
        note("%s: state of %s" % (name, mod._param_names[key]), state)
    for values in mod.get_params():
        for key, value in sorted(values.items()):
            note("%s: %s" % (name, key), value)
    note("%s: learning rate" % name, mod._optimizer.learning_rate)
    note("%s: updates" % name, mod._optimizer.num_update)
