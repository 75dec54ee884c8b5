"""Initializers: values, moments, names, texts and errors of real MXNet."""

import logging
import math

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, initializer, nd
from d2lhybrid.gluon import nn
from d2lhybrid.initializer import InitDesc


def fill(init, shape, name="a_weight", value=9.0, **desc):
    array = nd.full(shape, value)
    init(InitDesc(name, **desc), array)
    return array.asnumpy()


# --- which rule a name gets ---


@pytest.mark.parametrize(
    ("name", "value"),
    [("a_bias", 0.0), ("a_gamma", 1.0), ("a_beta", 0.0), ("a_min", 0.0), ("a_max", 1.0), ("a_bias_quantize", 0.0)],
)
def test_names(name, value):
    assert (fill(initializer.Xavier(), (2, 2), name) == value).all()


@pytest.mark.parametrize("name", ["a_running_mean", "a_moving_var", "foo", "a_moving_avg"])
def test_unknown_names(name):
    with pytest.raises(ValueError) as raised:
        fill(initializer.Xavier(), (2, 2), name)
    assert str(raised.value) == (
        f"Unknown initialization pattern for {name}. Default initialization is now limited to "
        '"weight", "bias", "gamma" (1.0), and "beta" (0.0).'
        "Please use mx.sym.Variable(init=mx.init.*) to set initialization pattern"
    )


def test_quantized_weights_get_one_whole_number():
    values = fill(initializer.Xavier(), (3, 4), "a_weight_quantize")
    assert (values == values[0, 0]).all()
    assert values[0, 0] in range(-127, 127)


def test_attribute_goes_before_the_name():
    assert (fill(initializer.Xavier(), (2, 2), "a_running_mean", attrs={"__init__": "zeros"}) == 0).all()
    assert (fill(initializer.Xavier(), (2, 2), "a_bias", attrs={"__init__": '["one", {}]'}) == 1).all()
    assert InitDesc("x").attrs == {}
    assert InitDesc("x").global_init is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("a_moving_mean", 0.0),
        ("a_moving_var", 1.0),
        ("a_moving_inv_var", 0.0),
        ("a_moving_avg", 0.0),
        ("stn_loc_weight", 0.0),
    ],
)
def test_plain_strings(name, value):
    array = nd.full((2, 2), 9)
    with pytest.warns(DeprecationWarning, match="has been deprecated"):
        initializer.Normal(1)(name, array)
    assert (array.asnumpy() == value).all()


@pytest.mark.filterwarnings("ignore:.*has been deprecated")
def test_plain_strings_must_be_strings():
    with pytest.raises(TypeError, match="name must be string"):
        initializer.Zero()(3, nd.ones((2,)))
    with pytest.raises(TypeError, match="arr must be NDArray"):
        initializer.Zero()("a_weight", numpy.ones(2))


# --- values ---


def test_constants():
    assert (fill(initializer.Zero(), (2, 2)) == 0).all()
    assert (fill(initializer.One(), (2, 2)) == 1).all()
    assert (fill(initializer.Constant(4), (2, 2)) == 4).all()
    assert fill(initializer.Constant(nd.array([[1, 2], [3, 4]])), (2, 2)).tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("init", "shape", "deviation", "largest"),
    [
        (initializer.Uniform(), (200, 100), 0.07 / math.sqrt(3), 0.07),
        (initializer.Uniform(0.5), (200, 100), 0.5 / math.sqrt(3), 0.5),
        (initializer.Normal(), (200, 100), 0.01, None),
        (initializer.Normal(2), (200, 100), 2.0, None),
        (initializer.Xavier(), (200, 100), 0.08165, 0.14142),
        (initializer.Xavier("gaussian"), (200, 100), 0.14142, None),
        (initializer.Xavier(factor_type="in"), (200, 100), 0.1, 0.17321),
        (initializer.Xavier(factor_type="out", magnitude=2), (200, 100), 0.05774, 0.1),
        (initializer.Xavier("gaussian", "in", 2), (200, 100), 0.14142, None),
        (initializer.Xavier(), (64, 32, 3, 3), math.sqrt(1 / (48 * 9)), math.sqrt(3 / (48 * 9))),
        (initializer.MSRAPrelu(), (200, 100), math.sqrt(2 / 1.0625 / 150), None),
        (initializer.MSRAPrelu("in", 0.1), (64, 32, 3, 3), math.sqrt(2 / 1.01 / 288), None),
    ],
)
def test_moments(init, shape, deviation, largest):
    mx.random.seed(1)
    values = fill(init, shape)
    assert abs(values.mean()) < 5 * deviation / math.sqrt(values.size)
    assert values.std() == pytest.approx(deviation, rel=0.03)
    if largest is not None:
        assert largest * 0.99 < abs(values).max() <= largest * 1.00001
    assert values.dtype == numpy.float32


def test_seed_repeats_values():
    mx.random.seed(3)
    first = fill(initializer.Normal(), (5,))
    mx.random.seed(3)
    assert (fill(initializer.Normal(), (5,)) == first).all()


@pytest.mark.parametrize("kind", ["uniform", "normal"])
@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (4, 2, 3), (3,)])
def test_orthogonal(shape, kind):
    matrix = fill(initializer.Orthogonal(rand_type=kind), shape).reshape(shape[0], -1)
    if matrix.shape[0] > matrix.shape[1]:
        matrix = matrix.T
    numpy.testing.assert_allclose(matrix @ matrix.T, 1.414**2 * numpy.eye(len(matrix)), atol=1e-5)


def test_bilinear():
    kernel = fill(initializer.Bilinear(), (2, 1, 4, 4))
    line = numpy.array([0.25, 0.75, 0.75, 0.25])
    numpy.testing.assert_allclose(kernel, numpy.broadcast_to(numpy.outer(line, line), (2, 1, 4, 4)))


def test_bias_of_an_lstm():
    array = nd.full((8,), 9)
    initializer.LSTMBias(2.0)._init_weight("x", array)
    assert array.asnumpy().tolist() == [0, 0, 2, 2, 0, 0, 0, 0]


@pytest.mark.parametrize(("mode", "gates"), [("lstm", 4), ("gru", 3), ("rnn_relu", 1)])
@pytest.mark.parametrize("directions", [1, 2])
def test_fused_rnn(mode, gates, directions):
    hidden, inputs = 3, 5
    weights = gates * hidden * directions * (inputs + hidden + directions * hidden + hidden)
    biases = 2 * 2 * gates * hidden * directions
    init = initializer.FusedRNN("ones", hidden, 2, mode, directions == 2, forget_bias=0.5)
    array = nd.full((weights + biases,), 9)
    init._init_weight(InitDesc("rnn_parameters"), array)
    values = array.asnumpy()
    assert (values[:weights] == 1).all()
    expected = numpy.zeros((2 * 2 * directions, gates, hidden))
    if mode == "lstm":
        expected[:, 1] = 0.5
    assert (values[weights:] == expected.ravel()).all()


def test_mixed():
    init = initializer.Mixed([".*bias", ".*"], [initializer.One(), initializer.Constant(2)])
    for name, value in (("a_weight", 2), ("b_weight", 2)):
        assert (fill(init, (2,), name) == value).all()
    with pytest.raises(ValueError, match="Parameter name foo did not match any pattern"):
        fill(initializer.Mixed(["bias"], [initializer.Zero()]), (2,), "foo")


def test_load(tmp_path):
    path = str(tmp_path / "a.params")
    nd.save(path, {"arg:a_weight": nd.array([1, 2])})
    init = initializer.Load(path, default_init=initializer.One())
    assert fill(init, (2,)).tolist() == [1, 2]
    assert fill(init, (2,), "b_weight").tolist() == [1, 1]
    with pytest.raises(AssertionError, match=r"Shape mismatch, target \(3,\) vs loaded \(2,\)"):
        fill(init, (3,))
    with pytest.raises(AssertionError, match="Not found in loaded param and no default Initializer"):
        fill(initializer.Load({}), (3,))


# --- names and texts ---


@pytest.mark.parametrize(
    ("init", "text"),
    [
        (initializer.Normal(0.01), '["normal", {"sigma": 0.01}]'),
        (initializer.One(), '["one", {}]'),
        (initializer.Constant(3), '["constant", {"value": 3}]'),
        (initializer.MSRAPrelu(), '["msraprelu", {"factor_type": "avg", "slope": 0.25}]'),
        (initializer.LSTMBias(1.0), '["lstmbias", {"forget_bias": 1.0}]'),
        (initializer.Orthogonal(), '["orthogonal", {"scale": 1.414, "rand_type": "uniform"}]'),
        (
            initializer.Xavier(),
            '["xavier", {"rnd_type": "uniform", "factor_type": "avg", "magnitude": 3}]',
        ),
    ],
)
def test_dumps(init, text):
    assert init.dumps() == text
    assert initializer.create(text) == init


def test_dumps_of_an_array():
    assert initializer.Constant(nd.ones((2,))).dumps() == '["constant", {"value": [1.0, 1.0]}]'


def test_equality():
    assert initializer.Uniform() == initializer.Uniform(0.07)
    assert initializer.Xavier() != initializer.Xavier(magnitude=2)
    assert initializer.Zero() != initializer.One()


def test_create():
    assert initializer.create("zeros") == initializer.Zero()
    assert initializer.create("Xavier", magnitude=5).magnitude == 5
    given = initializer.Xavier()
    assert initializer.create(given) is given
    for name in (3, None):
        with pytest.raises(AssertionError, match="initializer must be of string type"):
            initializer.create(name)
    with pytest.raises(AssertionError) as raised:
        initializer.create("foo")
    assert str(raised.value) == "foo is not registered. Please register with initializer.register first"
    assert initializer.registry.get_registry(initializer.Initializer)["zeros"] is initializer.Zero


def test_registered_class():
    @initializer.register
    class Sevens(initializer.Initializer):
        def _init_weight(self, name, arr):
            arr[:] = 7

    assert (fill(initializer.create("sevens"), (2,)) == 7).all()
    with pytest.raises(AssertionError, match="Can only register subclass of Initializer"):
        initializer.register(dict)


def test_base_class():
    with pytest.raises(NotImplementedError, match="Must override it"):
        fill(initializer.Initializer(), (2,))


@pytest.mark.parametrize(
    ("init", "shape", "message"),
    [
        (
            initializer.Xavier(),
            (2,),
            "Xavier initializer cannot be applied to vector a_weight. It requires at least 2D.",
        ),
        (initializer.Xavier(rnd_type="foo"), (2, 2), "Unknown random type"),
        (initializer.Xavier(factor_type="foo"), (2, 2), "Incorrect factor type"),
        (initializer.Orthogonal(rand_type="foo"), (2, 2), "Unknown random type foo"),
    ],
)
def test_errors(init, shape, message):
    with pytest.raises(ValueError) as raised:
        fill(init, shape)
    assert str(raised.value) == message


def test_verbosity(caplog):
    caplog.set_level(logging.INFO)
    fill(initializer.One().set_verbosity(True), (2, 2))
    fill(initializer.Xavier().set_verbosity(True, lambda array: "hello"), (2, 2))
    fill(initializer.One(), (2, 2))
    assert caplog.messages == ["Initialized a_weight as weight: 1.0", "Initialized a_weight as weight: hello"]


# --- in a network ---


def test_own_initializer_of_a_parameter_wins():
    layer = nn.Dense(2, in_units=3, weight_initializer="ones", bias_initializer="ones")
    layer.initialize(initializer.Zero())
    assert layer.weight.data().asnumpy().tolist() == [[1] * 3] * 2
    assert layer.bias.data().asnumpy().tolist() == [1, 1]
    layer = nn.Dense(2, in_units=3)
    layer.initialize(initializer.One())
    assert layer.bias.data().asnumpy().tolist() == [0, 0]


def test_default_is_uniform():
    layer = nn.Dense(100, in_units=100)
    layer.initialize()
    weight = layer.weight.data().asnumpy()
    assert 0.0699 < abs(weight).max() <= 0.07


def test_class_of_a_user(capsys):
    class Mine(initializer.Initializer):
        def _init_weight(self, name, arr):
            print("Init", name, arr.shape)
            arr[:] = 3

    layer = nn.Dense(2, prefix="dense_")
    layer.initialize(Mine())
    assert capsys.readouterr().out == ""
    assert layer(nd.ones((1, 4))).asnumpy().tolist() == [[12.0, 12.0]]
    assert capsys.readouterr().out == "Init dense_weight (2, 4)\n"


def test_errors_in_a_network():
    with pytest.raises(ValueError, match="Xavier initializer cannot be applied to vector d_bias"):
        nn.Dense(2, in_units=2, bias_initializer="xavier", prefix="d_").initialize()
    with pytest.raises(AssertionError, match="foo is not registered"):
        nn.Dense(2, in_units=2).initialize("foo")
    parameter = gluon.Parameter("w", shape=(2, 3), init="foo")
    with pytest.raises(AssertionError, match="foo is not registered"):
        parameter.initialize()
