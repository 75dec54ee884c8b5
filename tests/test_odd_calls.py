"""Calls in the corners of the interface, with the answers of real MXNet 1.9.1."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, metric, nd, np, sym
from d2lhybrid.gluon import nn

NAN = float("nan")

# --- optimizers -----------------------------------------------------------------------------------

# The weights [1, 0] after two steps with the gradient [2, 1], without clipping.
UNCLIPPED: list[tuple[str, dict[str, Any], list[float]]] = [
    ("sgd", {}, [0.6, -0.2]),
    ("sgd", {"momentum": 0.9}, [0.42, -0.29]),
    ("nag", {"momentum": 0.9}, [0.078, -0.461]),
    ("adam", {}, [0.8, -0.2]),
    ("ftrl", {}, [0.54743, -0.090921]),
    ("rmsprop", {}, [0.45436, -0.54564]),
    ("lamb", {}, [0.86339, -0.13661]),
    ("lars", {}, [0.99982, -8.9439e-05]),
    ("ftml", {}, [0.8375, -0.1625]),
    ("signum", {}, [0.8, -0.2]),
    ("lbsgd", {}, [0.6, -0.2]),
]


def two_steps(name: str, clip: float, settings: dict[str, Any]) -> list[float]:
    """Return the weights [1, 0] of a layer after two steps of a trainer with the gradient [2, 1]."""
    weight = gluon.Parameter("weight", shape=(2,))
    weight.initialize(mx.init.Zero())
    weight.set_data(nd.array([1, 0]))
    trainer = gluon.Trainer([weight], name, {"learning_rate": 0.1, "clip_gradient": clip, **settings})
    for _ in range(2):
        with autograd.record():
            loss = (weight.data() * nd.array([2, 1])).sum()
        loss.backward()
        trainer.step(1)
    return weight.data().asnumpy().tolist()


@pytest.mark.parametrize(("name", "settings", "right"), UNCLIPPED)
@pytest.mark.parametrize("clip", [-1, -0.5, 0, NAN])
def test_gradients_are_clipped_at_positive_numbers_alone(name, settings, right, clip):
    assert two_steps(name, clip, settings) == pytest.approx(right, rel=1e-4)


@pytest.mark.parametrize(
    ("name", "at_minus_one", "at_zero", "at_nan"),
    [
        ("adagrad", [1.1707, 0.17071], [1, 0], [0.82929, -0.17071]),
        ("adadelta", [1.0203, 0.020259], [1, 0], [0.97974, -0.020259]),
        ("nadam", [1.184, 0.18401], [1, 0], [0.81599, -0.18401]),
        ("dcasgd", [1.1996, 0.1996], [1, 0], [0.6032, -0.1996]),
    ],
)
def test_optimizers_without_an_operator_clip_at_any_number(name, at_minus_one, at_zero, at_nan):
    for clip, right in ((-1, at_minus_one), (0, at_zero), (NAN, at_nan)):
        assert two_steps(name, clip, {}) == pytest.approx(right, rel=1e-4)


@pytest.mark.parametrize("gradient", [NAN, float("inf")])
def test_ftrl_shows_a_gradient_that_is_no_number(gradient):
    weight = gluon.Parameter("weight", shape=(2,))
    weight.initialize(mx.init.One())
    trainer = gluon.Trainer([weight], "ftrl", {"learning_rate": 0.1})
    with autograd.record():
        loss = (weight.data() * nd.array([gradient, 1])).sum()
    loss.backward()
    trainer.step(1)
    assert numpy.isnan(weight.data().asnumpy()).tolist() == [True, False]
    optimizer, array = mx.optimizer.Ftrl(), nd.ones((2,))
    optimizer.update(0, array, nd.array([gradient, 1]), optimizer.create_state(0, array))
    assert numpy.isnan(array.asnumpy()).tolist() == [True, False]


@pytest.mark.parametrize("hybridize", [False, True])
def test_the_gradient_of_a_ctc_loss_of_nan_is_nan(hybridize):
    loss = gluon.loss.CTCLoss(layout="TNC", label_layout="NT")
    if hybridize:
        loss.hybridize()
    values = numpy.ones((3, 2, 3))
    values[:, 0] = NAN
    x = nd.array(values)
    x.attach_grad()
    with autograd.record():
        y = loss(x, nd.array([[0, 1], [0, 1]]))
    y.backward()
    assert numpy.isnan(y.asnumpy()).tolist() == [True, False]
    assert numpy.isnan(x.grad.asnumpy()[:, 0]).all() and numpy.isfinite(x.grad.asnumpy()[:, 1]).all()


# --- metrics --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [metric.CrossEntropy, metric.NegativeLogLikelihood])
def test_a_label_that_is_no_class_is_an_index_error(kind):
    predictions = [nd.array([[0.1, 0.9], [0.3, 0.7]])]
    measure = kind()
    measure.update([nd.array([-1, 0])], predictions)
    assert measure.get()[1] == pytest.approx(0.65467, rel=1e-4)
    for label in (2, -3, NAN):
        with pytest.raises(IndexError, match="out of bounds for axis 1 with size 2"):
            measure.update([nd.array([0, label])], predictions)


def test_perplexity_ignores_a_label_and_no_fraction_of_it():
    labels = [nd.array([0.6, 1.4, 0, -1])]
    predictions = [nd.array([[0.1, 0.9], [0.3, 0.7], [0.2, 0.8], [0.4, 0.6]])]
    for ignored, right in ((None, 3.6556), (0, 3.2932), (1, 3.6556), (0.6, 2.6138)):
        measure = metric.Perplexity(ignored)  # type: ignore[arg-type]
        measure.update(labels, predictions)
        assert measure.get()[1] == pytest.approx(right, rel=1e-4)


# --- indices --------------------------------------------------------------------------------------


def test_masks_that_are_arrays_need_np():
    x = nd.arange(6).reshape((2, 3))
    mask = nd.array([1, 0], dtype="bool")
    for wrong in (
        lambda: x[mask],
        lambda: x[mask, 0],
        lambda: x.__setitem__(mask, 9),
        lambda: x.__setitem__((mask, 0), 9),
    ):
        with pytest.raises(ValueError, match="Cannot perform boolean indexing in legacy mode"):
            wrong()
    with pytest.raises(ValueError, match=r"does not support slicing with key True of type <class 'numpy.bool"):
        x[numpy.bool_(True)]
    assert x.asnumpy().tolist() == [[0, 1, 2], [3, 4, 5]]
    assert x.as_np_ndarray()[np.array([True, False], dtype="bool")].asnumpy().tolist() == [[0, 1, 2]]


@pytest.mark.parametrize(
    ("dtype", "number", "held"),
    [
        ("uint8", 300, 44), ("uint8", -1, 255), ("uint8", 256.7, 0), ("uint8", -1.5, 255), ("int8", 200, -56),
        ("int8", -129, 127), ("int8", 1e10, 0), ("int32", 2**31, -(2**31)), ("int32", 2**40, -(2**31)),
        ("int32", NAN, -(2**31)), ("int32", float("inf"), -(2**31)), ("int64", 1e20, -(2**63)),
        ("int64", 2**63, -(2**63)), ("int32", 1.7, 1), ("int32", True, 1), ("int64", 2**53 + 1, 2**53 + 1),
    ],
)  # fmt: skip
def test_integers_keep_the_last_bits_of_what_is_written(dtype, number, held):
    for key in (0, slice(None, 1), [0], (Ellipsis, 0)):
        x, y = nd.ones((2,), dtype=dtype), np.ones((2,), dtype=dtype)
        x[key] = y[key] = number
        assert x.asnumpy().tolist() == y.asnumpy().tolist() == [held, 1]
    if dtype == "uint8":
        x = nd.ones((3,), dtype=dtype)
        x[:2] = [number, 2]
        assert x.asnumpy().tolist() == [held, 2, 1]


def test_np_arrays_in_another_shape_are_copies():
    for reshape in (
        lambda x: x.reshape(-1), lambda x: x.reshape((3, 2)), lambda x: x.reshape((2, 3)), lambda x: x.flatten(),
        lambda x: np.reshape(x, (3, 2)),
    ):  # fmt: skip
        x = np.arange(6).reshape((2, 3))
        x.attach_grad()
        y = reshape(x)
        y[:] = 9
        assert x.asnumpy().tolist() == [[0, 1, 2], [3, 4, 5]]
        with autograd.record():
            z = (reshape(x) * 2).sum()
        z.backward()
        assert x.grad.asnumpy().tolist() == [[2, 2, 2], [2, 2, 2]]
    x = nd.arange(6).reshape((2, 3))
    x.reshape((-1,))[:] = 9
    assert x.asnumpy().tolist() == [[9, 9, 9], [9, 9, 9]]


# --- symbols, modules and checkpoints -------------------------------------------------------------


def test_any_number_of_symbols_by_name_or_counted():
    a, b = sym.Variable("a"), sym.Variable("b")
    assert sym.concat(arg1=a, arg0=b).list_arguments() == ["b", "a"]
    assert sym.concat(arg1=a, arg0=b, num_args=2).list_arguments() == ["b", "a"]
    assert sym.concat(arg1=a, num_args=2, name="c").list_arguments() == ["c_arg0", "a"]
    assert sym.concat(a, num_args=3, name="c").list_arguments() == ["a", "c_arg1", "c_arg2"]
    assert sym.concat(num_args=2, name="c").list_arguments() == ["c_arg0", "c_arg1"]
    assert sym.add_n(num_args=2, name="s").list_arguments() == ["s_arg0", "s_arg1"]
    assert sym.concat(a, b, num_args="2").list_arguments() == ["a", "b"]
    shapes = sym.concat(a, num_args=2, name="c", dim=0).infer_shape(a=(1, 2), c_arg1=(3, 2))
    assert shapes == ([(1, 2), (3, 2)], [(4, 2)], [])
    for function in (sym.concat, sym.add_n, sym.stack):
        with pytest.raises(TypeError, match="either as positional or keyword arguments, not both"):
            function(a, arg1=b)
    with pytest.raises(mx.MXNetError, match="argument name arg1 not found"):
        sym.concat(arg1=a)
    with pytest.raises(mx.MXNetError, match="Incorrect number of arguments, requires 1, provided 2"):
        sym.concat(a, b, num_args=1)
    with pytest.raises(mx.MXNetError, match="num_args expect int but value='x'"):
        sym.concat(a, b, num_args="x")


@pytest.mark.parametrize("name", [3, b"x", ("x",)])
def test_a_name_is_a_text(name):
    for make in (lambda: sym.relu(sym.Variable("a"), name=name), lambda: sym.zeros((2,), name=name)):
        with pytest.raises(AttributeError, match="object has no attribute 'encode'"):
            make()


def test_a_module_passes_over_further_arrays_of_a_batch():
    net = sym.SoftmaxOutput(sym.FullyConnected(sym.Variable("data"), num_hidden=2, name="fc"), name="softmax")
    module = mx.mod.Module(net)
    module.bind([("data", (3, 4))], [("softmax_label", (3,))])
    module.init_params(mx.init.One())
    for data in ([nd.ones((3, 4)), nd.ones((1,))], [nd.ones((3, 4)), nd.ones((3, 1))]):
        module.forward(mx.io.DataBatch(data, [nd.zeros((3,)), nd.ones((3,))]))
        assert module.get_outputs()[0].asnumpy().tolist() == [[0.5, 0.5]] * 3


def test_a_checkpoint_says_what_its_arrays_are(tmp_path):
    net = nn.Dense(2, in_units=3)
    net.initialize()
    net.save_parameters(str(tmp_path / "net-0001.params"))
    sym.Variable("x").save(str(tmp_path / "net-symbol.json"))
    for load in (mx.model.load_params, mx.model.load_checkpoint):
        with pytest.raises(ValueError, match=r"begin with arg: or aux:, but .* contains the name 'weight'"):
            load(str(tmp_path / "net"), 1)
