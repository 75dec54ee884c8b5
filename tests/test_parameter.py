"""Parameter, Constant and ParameterDict: life cycle, attributes, files, messages."""

import re

import numpy
import pytest
from exact_messages import raises

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, init, nd
from d2lhybrid.gluon.parameter import DeferredInitializationError

NOT_INITIALIZED = (
    "Parameter 'w' has not been initialized. Note that you should initialize parameters and create Trainer "
    "with "
    "Block.collect_params() instead of Block.params because the later does not include Parameters of nested "
    "child "
    "Blocks"
)
DEFERRED = (
    "Parameter 'w' has not been initialized yet because initialization was deferred. Actual initialization "
    "happens "
    "during the first forward pass. Please pass one batch of data through the network before accessing "
    "Parameters. "
    "You can also avoid deferred initialization by specifying in_units, num_features, etc., for network "
    "layers."
)
CPUS = [mx.cpu(0), mx.cpu(1)]


def make(**kwargs):
    parameter = gluon.Parameter("w", **{"shape": (2, 3), **kwargs})
    parameter.initialize(init.One())
    return parameter


# One parameter ----------------------------------------------------------------------------------------


def test_before_initialization():
    p = gluon.Parameter("w", shape=(2, 0))
    assert repr(p) == str(p) == "Parameter w (shape=(2, 0), dtype=<class 'numpy.float32'>)"
    assert (p.grad_req, p.lr_mult, p.wd_mult, p.init) == ("write", 1.0, 1.0, None)
    for ask in (p.data, p.grad, p.list_data, p.list_grad):
        with raises(RuntimeError, NOT_INITIALIZED):
            ask()
    with raises(RuntimeError, "Parameter 'w' has not been initialized"):
        p.list_ctx()
    for arguments in ((), (init.One(),)):
        with raises(ValueError, "Cannot initialize Parameter 'w' because it has invalid shape: (2, 0)."):
            p.initialize(*arguments)
    with raises(AssertionError, "Parameter 'w' has not been initialized"):
        gluon.Parameter("w").set_data(nd.ones((1,)))
    with raises(ValueError, "Cannot reset context for Parameter 'w' because it has not been initialized."):
        p.reset_ctx(mx.cpu(1))
    assert p.zero_grad() is None


@pytest.mark.parametrize("shape", [None, (0,), (2, 0)])
def test_shape_must_be_known(shape):
    with raises(ValueError, f"Cannot initialize Parameter 'w' because it has invalid shape: {shape}."):
        gluon.Parameter("w", shape=shape).initialize()


def test_initialized():
    p = make()
    assert p.data().asnumpy().tolist() == [[1, 1, 1], [1, 1, 1]]
    assert p.grad().asnumpy().tolist() == [[0, 0, 0], [0, 0, 0]]
    assert p.grad() is p.data().grad
    assert p.list_ctx() == [mx.cpu(0)] and p.list_data()[0] is p.data() and p.list_grad()[0] is p.grad()
    assert gluon.Parameter("w", shape=5).shape == (5,)


def test_initializing_again_warns_unless_forced():
    p = make()
    data = p.data()
    text = "Parameter 'w' is already initialized, ignoring. Set force_reinit=True to re-initialize."
    with pytest.warns(UserWarning, match=f"^{re.escape(text)}$"):
        p.initialize(init.Zero())
    assert p.data() is data
    p.initialize(init.Zero(), force_reinit=True)
    assert p.data().asnumpy().sum() == 0


class Recorder(init.Initializer):
    """Fills with 7 and remembers what it was told."""

    def __init__(self):
        super().__init__()
        self.calls = []

    def _init_weight(self, name, arr):
        self.calls.append((str(name), name.attrs, arr.context))
        arr[:] = 7


def test_order_of_initializers():
    own, given, default = Recorder(), Recorder(), Recorder()
    p = gluon.Parameter("a_bias", shape=(2,), init=own)
    p.initialize(default_init=default, ctx=mx.cpu(1))
    assert not default.calls
    assert [c[0] for c in own.calls] == ["a_bias"]
    assert own.calls[0][1] == {"__init__": own}
    assert own.calls[0][2] == mx.cpu(0), "the value is made on the CPU and copied"
    p.initialize(given, force_reinit=True)
    assert given.calls and p.data().asnumpy().tolist() == [7, 7]
    q = gluon.Parameter("a_bias", shape=(2,))
    q.initialize(default_init=default)
    assert default.calls


def test_set_data_writes_into_the_same_array():
    p = make()
    data = p.data()
    p.set_data(nd.zeros((2, 3)))
    assert p.data() is data and data.asnumpy().sum() == 0
    p.set_data(numpy.ones((2, 3)))
    assert data.asnumpy().sum() == 6
    with raises(AssertionError, "Expected shape (3, 3) is incompatible with given shape (2, 3)."):
        p.set_data(nd.zeros((3, 3)))
    with raises(AttributeError, "'int' object has no attribute 'shape'"):
        p.set_data(5)


def test_shape_fills_in_unknown_sizes_only():
    p = gluon.Parameter("w", shape=(0, 2))
    p.shape = (4, 2)
    assert p.shape == (4, 2)
    for shape in ((4, 3), (4,), (4, 0)):
        with raises(AssertionError, f"Expected shape {shape} is incompatible with given shape (4, 2)."):
            p.shape = shape


def test_deferred():
    p = gluon.Parameter("w", shape=(0, 2), allow_deferred_init=True)
    p.initialize(init.One(), ctx=CPUS)
    assert p.list_ctx() == CPUS
    for ask in (p.data, p.grad, p.list_data, p.list_grad):
        with raises(DeferredInitializationError, DEFERRED):
            ask()
    with raises(
        AssertionError,
        "Cannot initialize Parameter 'w' because it has invalid shape: (0, 2). Please specify in_units, "
        "in_channels, etc for `Block`s.",
    ):
        p._finish_deferred_init()
    p.cast("float16")
    p.reset_ctx(mx.cpu(1))
    p.shape = (3, 2)
    p._finish_deferred_init()
    assert p.data().asnumpy().tolist() == [[1, 1]] * 3
    assert p.data().dtype is p.grad().dtype is numpy.float16
    assert p.list_ctx() == [mx.cpu(1)]


def test_set_data_while_deferred():
    p = gluon.Parameter("w", shape=(0,), allow_deferred_init=True)
    p.initialize()
    p.set_data(nd.array([1, 2]))
    assert p.shape == (2,)
    with pytest.raises(DeferredInitializationError):
        p.data()
    p._finish_deferred_init()
    assert p.data().asnumpy().tolist() == [1, 2]


def test_cast():
    p = make()
    p.cast("float16")
    assert repr(p) == "Parameter w (shape=(2, 3), dtype=float16)"
    assert p.data().dtype is p.grad().dtype is numpy.float16
    p.dtype = "float32"
    assert p.data().dtype is numpy.float32


def test_contexts():
    p = make()
    p.reset_ctx(mx.cpu(1))
    assert p.list_ctx() == [mx.cpu(1)] and p.data().context == mx.cpu(1)
    assert p.data(mx.cpu(1)) is p.data()
    message = "Parameter 'w' was not initialized on context cpu(0). It was only initialized on [cpu(1)]."
    for _ in range(2):
        with raises(RuntimeError, message):
            p.data(mx.cpu(0))
    p.reset_ctx(CPUS)
    assert [d.context for d in p.list_data()] == CPUS
    assert p.data().context == mx.cpu(0)
    with mx.cpu(1):
        assert p.data().context == p.grad().context == mx.cpu(1)
    with (
        mx.cpu(2),
        raises(RuntimeError, message.replace("cpu(0)", "cpu(2)").replace("[cpu(1)]", "[cpu(0), cpu(1)]")),
    ):
        p.data()
    p.list_data()[1][:] = 3
    assert p._reduce().asnumpy().tolist() == [[2, 2, 2], [2, 2, 2]], "the mean over devices"
    p.set_data(nd.zeros((2, 3)))
    assert all(d.asnumpy().sum() == 0 for d in p.list_data())


def test_grad_req():
    p = make()
    with raises(AssertionError, "grad_req must be one of 'write', 'add', or 'null', but got 'foo'"):
        gluon.Parameter("x", grad_req="foo")
    p.grad_req = "add"
    for _ in range(2):
        with autograd.record():
            loss = (p.data() * 2).sum()
        loss.backward()
    assert p.grad().asnumpy().tolist() == [[4, 4, 4], [4, 4, 4]]
    p.zero_grad()
    assert p.grad().asnumpy().sum() == 0
    p.grad_req = "null"
    for ask in (p.grad, p.list_grad):
        with raises(RuntimeError, "Cannot get gradient array for Parameter 'w' because grad_req='null'"):
            ask()
    assert p.data().grad is None
    p.grad_req = "write"
    assert p.grad().shape == (2, 3)


def test_not_differentiable():
    p = make(differentiable=False)
    p.grad_req = "write"
    assert p.grad_req == "null" and p.data().grad is None


def test_variable():
    p = gluon.Parameter("w", shape=(2, 3), init="ones")
    assert p.var() is p.var() and repr(p.var()) == "<Symbol w>"
    assert p.var().attr_dict() == {
        "w": {
            "__storage_type__": "0", "__init__": "ones", "__dtype__": "0", "__wd_mult__": "1.0",
            "wd_mult": "1.0",
            "__lr_mult__": "1.0", "lr_mult": "1.0", "__shape__": "(2, 3)",
        }
    }  # fmt: skip
    q = gluon.Parameter("w", grad_req="null", init=init.Normal(0.5), dtype="float16", lr_mult=2, wd_mult=0)
    assert q.var().attr_dict()["w"] == {
        "__storage_type__": "0", "__init__": '["normal", {"sigma": 0.5}]', "__dtype__": "2",
        "__wd_mult__": "0", "wd_mult": "0", "__lr_mult__": "2", "lr_mult": "2",
    }  # fmt: skip


def test_numpy_semantics():
    with mx.util.np_shape(), mx.util.np_array():
        p = gluon.Parameter("w", shape=(2, 0), allow_deferred_init=True)
        assert repr(p) == "Parameter w (shape=(2, -1), dtype=<class 'numpy.float32'>)"
        assert repr(p.var()) == "<_Symbol w>"
        assert p.var().attr("__shape__") == "(2, -1)"
        p.initialize()
        p.shape = (2, 3)
        p._finish_deferred_init()
        assert type(p.data()).__module__.startswith("d2lhybrid.numpy") and type(p.grad()) is type(p.data())
        scalar = gluon.Parameter("s", shape=(), init="ones")
        scalar.initialize()
        assert scalar.data().shape == ()
    assert p.shape == (2, 3)


@pytest.mark.parametrize("kind", ["stype", "grad_stype"])
def test_storage_types(kind):
    with raises(
        AssertionError,
        f"{kind} for Parameter 'w' must be one of 'default', 'row_sparse', or 'csr', but got 'x'",
    ):
        gluon.Parameter("w", **{kind: "x"})
    p = make(stype="row_sparse")
    with pytest.raises(RuntimeError, match=r"Please use row_sparse_data\(\) instead"):
        p.data()
    assert p.row_sparse_data(nd.array([0])).shape == (2, 3)


def test_data_is_found_fast():
    p = make()
    x = nd.ones((1,))
    p.data(x.context)
    assert p.data(x.context) is p.data(mx.cpu(0)) is p.data()
    assert p._single is p._data
    p.initialize(ctx=CPUS, force_reinit=True)
    assert p._single is None
    assert p.data(mx.cpu(1)) is p.list_data()[1]


# Constant -------------------------------------------------------------------------------------------


def test_constant():
    c = gluon.Constant("c", [[1, 2]])
    assert repr(c) == "Constant c (shape=(1, 2), dtype=<class 'numpy.float32'>)"
    assert c.value.asnumpy().tolist() == [[1, 2]]
    with pytest.raises(RuntimeError, match="Parameter 'c' has not been initialized"):
        c.data()
    c.initialize(ctx=mx.cpu(1))
    assert c.data().asnumpy().tolist() == [[1, 2]] and c.data().context == mx.cpu(1)
    with raises(RuntimeError, "Cannot get gradient array for Parameter 'c' because grad_req='null'"):
        c.grad()
    text = 'Constant parameter "c" does not support grad_req other than "null", and new value "write" is ignored.'
    with pytest.warns(UserWarning, match=f"^{re.escape(text)}$"):
        c.grad_req = "write"
    assert c.grad_req == "null"
    assert gluon.Constant("c", nd.array([1], dtype="int32")).dtype is numpy.int32


@pytest.mark.parametrize("cast_first", [True, False])
def test_constants_have_the_type_that_a_block_was_cast_to(cast_first):
    class Net(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.factor = self.params.get_constant("factor", nd.array([1.5, 2]))

        def hybrid_forward(self, F, x, factor):
            return F.broadcast_mul(x, factor)

    net = Net()
    steps = [lambda: net.cast("float64"), net.initialize]
    for step in steps if cast_first else reversed(steps):
        step()
    assert net.factor.data().dtype == numpy.float64
    assert net(nd.ones((1, 2), dtype="float64")).dtype == numpy.float64


def test_constant_in_a_block():
    class Shift(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.shift = self.params.get_constant("shift", [1, 2])

        def hybrid_forward(self, F, x, shift):
            return F.broadcast_add(x, shift)

    net = Shift()
    net.initialize(init.Zero())
    for _ in range(2):
        assert net(nd.zeros((1, 2))).asnumpy().tolist() == [[1, 2]]
        net.hybridize()


# ParameterDict ----------------------------------------------------------------------------------------


def test_get():
    d = gluon.ParameterDict("p_")
    w = d.get("w", shape=(2, 3))
    assert w.name == "p_w" and d.get("w", shape=(2, 3)) is w and d.get("w") is w
    assert d.get("w", shape=(0, 3), dtype="float32", init=None) is w
    assert d.get("w", init="ones") is w and w.init == "ones"
    start = "Cannot retrieve Parameter 'p_w' because desired attribute does not match with stored for attribute "
    for attribute, desired, stored in (
        ("shape", (2, 4), (2, 3)),
        ("shape", (2,), (2, 3)),
        ("dtype", "float16", numpy.float32),
        ("lr_mult", 2, 1.0),
        ("grad_req", "null", "write"),
        ("init", "zeros", "ones"),
    ):
        with raises(AssertionError, f"{start}'{attribute}': desired '{desired}' vs stored '{stored}'."):
            d.get("w", **{attribute: desired})
    d.get("z", shape=(0, 3), allow_deferred_init=True)
    assert d.get("z", shape=(2, 0)).shape == (2, 3)
    with pytest.raises(TypeError, match="unexpected keyword argument 'foo'"):
        d.get("k", foo=1)


def test_sharing():
    d = gluon.ParameterDict("p_")
    w = d.get("w", shape=(1,))
    shared = gluon.ParameterDict("p_", shared=d)
    assert shared.get("w") is w and list(shared) == ["p_w"]
    shared.get("own", shape=(1,))
    assert list(d) == ["p_w"]


def test_get_constant():
    d = gluon.ParameterDict("p_")
    with pytest.raises(KeyError, match=r"No constant named 'p_c'. Please specify value if you want to create a new"):
        d.get_constant("c")
    c = d.get_constant("c", [1, 2])
    assert isinstance(c, gluon.Constant)
    assert d.get_constant("c") is d.get_constant("c", [1, 2]) is d.get_constant("c", nd.array([1, 2])) is c
    for other in ([1, 3], numpy.array([1, 2, 3])):
        with raises(AssertionError, "Constant 'p_c' already exists but it's value doesn't match new value"):
            d.get_constant("c", other)
    d.get("w", shape=(1,))
    with raises(AssertionError, "Parameter 'p_w' already exists but it is not a constant."):
        d.get_constant("w", [1])


def test_dictionary():
    d = gluon.ParameterDict("p_")
    assert repr(d) == "p_ (\n\n)"
    w, c = d.get("w", shape=(2, 3)), d.get_constant("c", [1, 2])
    assert repr(d) == (
        "p_ (\n  Parameter p_w (shape=(2, 3), dtype=<class 'numpy.float32'>)\n"
        "  Constant p_c (shape=(2,), dtype=<class 'numpy.float32'>)\n)"
    )
    assert list(d.keys()) == list(d) == ["p_w", "p_c"] and d["p_w"] is w and "p_c" in d
    assert list(d.values()) == [w, c] and list(d.items()) == [("p_w", w), ("p_c", c)]
    assert d.prefix == "p_"
    with pytest.raises(KeyError, match=r"^'w'$"):
        d["w"]
    d.initialize(init.One(), ctx=CPUS)
    assert d.list_ctx() == CPUS
    d.setattr("lr_mult", 0.5)
    d.setattr("grad_req", "null")
    assert w.lr_mult == 0.5 and w.grad_req == "null"
    d.zero_grad()
    d.reset_ctx(mx.cpu(0))
    assert d.list_ctx() == [mx.cpu(0)]


def test_update():
    a, b = gluon.ParameterDict("a_"), gluon.ParameterDict("a_")
    w = a.get("w", shape=(1,))
    a.update(a)
    a.update({"b_w": w})
    assert list(a) == ["a_w", "b_w"]
    b.get("w", shape=(1,))
    with raises(
        AssertionError,
        "Cannot update self with other because they have different Parameters with the same name 'a_w'",
    ):
        a.update(b)


@pytest.fixture
def saved(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    d = gluon.ParameterDict("p_")
    d.get("w", shape=(2,), init="ones")
    d.get("v", shape=(3,), init="zeros")
    d.initialize()
    d.save("p.params")
    return d


def test_save_and_load(saved):
    assert {k: v.shape for k, v in nd.load("p.params").items()} == {"p_w": (2,), "p_v": (3,)}
    saved.save("q.params", strip_prefix="p_")
    assert list(nd.load("q.params")) == ["w", "v"]
    other = gluon.ParameterDict("p_")
    other.get("w", shape=(0,), allow_deferred_init=True)
    other.get("v")
    other.load("p.params", ctx=mx.cpu(1))
    assert other["p_w"].data().asnumpy().tolist() == [1, 1] and other["p_v"].list_ctx() == [mx.cpu(1)]
    third = gluon.ParameterDict("p_")
    third.get("w", shape=(2,))
    third.get("v", shape=(3,))
    third.load("q.params", restore_prefix="p_")
    assert third["p_w"].data().asnumpy().tolist() == [1, 1]
    nd.save("arg.params", {"arg:p_w": nd.zeros((2,)), "aux:p_v": nd.zeros((3,))})
    third.load("arg.params")
    assert third["p_w"].data().asnumpy().tolist() == [0, 0]


NAMING = (
    "Please make sure source and target networks have the same prefix.For more info on naming, please see "
    "https://mxnet.io/api/python/docs/tutorials/packages/gluon/blocks/naming.html"
)


def test_load_messages(saved):
    d = gluon.ParameterDict("p_")
    d.get("w", shape=(2,))
    with raises(
        AssertionError,
        "Parameter 'p_v' loaded from file: p.params is not present in ParameterDict, choices are: 'p_w'. Set "
        f"ignore_extra to True to ignore. {NAMING}",
    ):
        d.load("p.params")
    d.load("p.params", ignore_extra=True)
    for name in "vzabcdef":
        d.get(name, shape=(3,))
    with raises(
        AssertionError,
        f"Parameter 'p_z' is missing in file: p.params, which contains parameters: 'p_w', 'p_v'. {NAMING}",
    ):
        d.load("p.params")
    d.load("p.params", allow_missing=True)
    nine = {f"{c}x": nd.ones((1,)) for c in "abcdefghi"}
    with raises(
        AssertionError,
        "Parameter 'p_w' is missing in param_dict, which contains parameters: 'ax', 'bx', 'cx', ..., 'fx', "
        "'gx', "
        f"'hx', 'ix'. {NAMING}",
    ):
        d.load_dict(nine)
    with pytest.raises(
        AssertionError, match="restore_prefix is 'q_' but Parameters name 'p_w' does not start with 'q_'"
    ):
        d.load("p.params", restore_prefix="q_")
    with pytest.raises(ValueError, match="Prefix 'p_v' is to be striped before saving, but Parameter's name 'p_w'"):
        saved.save("x.params", strip_prefix="p_v")
    nd.save("list.params", [nd.ones((1,))])
    with pytest.raises(ValueError, match="contains arrays without names"):
        d.load("list.params")
    with pytest.raises(mx.base.MXNetError, match=r'allow_null: :Open "none.params": No such file'):
        d.load("none.params")


def test_taking_over_a_value():
    p = gluon.Parameter("w", shape=(0,), dtype="float16", allow_deferred_init=True)
    failed = "Failed loading Parameter 'w' from saved params: "
    with raises(
        AssertionError,
        f"{failed}dtype incompatible expected float16 vs saved <class 'numpy.float32'>. Set cast_dtype=True "
        "to cast "
        "the dtype of saved params.",
    ):
        p._load_init(nd.ones((2,)), None)
    p._load_init(nd.ones((2,)), None, cast_dtype=True)
    assert p.data().dtype is numpy.float16 and p.list_ctx() == [mx.cpu(0)] and p.shape == (2,)
    with raises(AssertionError, f"{failed}shape incompatible expected (2,) vs saved (3,)"):
        p._load_init(nd.ones((3,)), None)
    p._load_init(nd.ones((2,)) * 7, None, cast_dtype=True, dtype_source="saved")
    assert p.data().dtype is numpy.float32 and p.data().asnumpy().tolist() == [7, 7]
    with raises(
        AssertionError,
        "Failed to load Parameter 'w' on [cpu(0), cpu(1)] because it was previous initialized on [cpu(0)].",
    ):
        p._load_init(nd.ones((2,)), CPUS)
    with pytest.raises(AssertionError, match="dtype_source must be"):
        p._load_init(nd.ones((2,)), None, cast_dtype=True, dtype_source="x")


def test_a_network_trains_on_a_loaded_value_in_place():
    """A hybridized network sees new values without being traced again."""
    net = gluon.nn.Dense(1, in_units=2)
    net.initialize(init.One())
    net.hybridize()
    x = nd.array([[1, 2]])
    assert net(x).asscalar() == 3
    net.weight.set_data(nd.array([[2, 2]]))
    assert net(x).asscalar() == 6
    net.weight.initialize(init.Zero(), force_reinit=True)
    assert net(x).asscalar() == 0
