"""Layers: containers, names, messages, and what the recorded cases do not cover."""

import json
import re

import numpy
import pytest
from exact_messages import raises

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, init, nd, sym
from d2lhybrid.error import MXNetError
from d2lhybrid.gluon import nn
from d2lhybrid.gluon.contrib import nn as cnn

# Containers -------------------------------------------------------------------------------------------


def make_row(cls=nn.HybridSequential):
    net = cls(prefix="p_")
    with net.name_scope():
        net.add(nn.Dense(2), nn.Dense(3), nn.Flatten())
    return net


@pytest.mark.parametrize("cls", [nn.Sequential, nn.HybridSequential])
def test_row(cls):
    net = make_row(cls)
    assert len(net) == 3 and [b.name for b in net] == ["p_dense0", "p_dense1", "p_flatten0"]
    assert net[-1] is net[2] and isinstance(net[2], nn.Flatten)
    part = net[:2]
    assert type(part) is cls and list(part) == [net[0], net[1]] and part.prefix == "p_"
    assert [type(b) for b in net[::2]] == [nn.Dense, nn.Flatten] and len(net[1:1]) == 0
    with pytest.raises(IndexError):
        net[5]
    assert repr(net[::2]) == f"{cls.__name__}(\n  (0): Dense(None -> 2, linear)\n  (1): Flatten\n)"
    empty = cls()
    x = nd.ones((1,))
    assert empty(x) is x


def test_a_part_shares_parameters():
    net = make_row()
    net.initialize()
    x = nd.ones((1, 4))
    assert (net[1:](net[:1](x)).asnumpy() == net(x).asnumpy()).all()


def test_nested_repr():
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3), nn.HybridSequential())
    net[1].add(nn.Dense(2), nn.Dropout(0.1))
    assert repr(net) == (
        "HybridSequential(\n  (0): Conv2D(None -> 4, kernel_size=(3, 3), stride=(1, 1))\n  (1): "
        "HybridSequential(\n"
        "    (0): Dense(None -> 2, linear)\n    (1): Dropout(p = 0.1, axes=())\n  )\n)"
    )


def test_sequential_takes_functions():
    net = nn.Sequential()
    net.add(nn.Dense(2, in_units=2), nd.relu)
    net[0].initialize(init.One())
    assert net(nd.array([[-1, -1]])).asnumpy().tolist() == [[0, 0]]
    assert repr(net[0:1]) == "Sequential(\n  (0): Dense(2 -> 2, linear)\n)"


def test_hybridizing_a_sequential():
    net = nn.Sequential()
    net.add(nn.Dense(2, in_units=2))
    text = (
        f"All children of this Sequential layer '{net.prefix}' are HybridBlocks. Consider using "
        "HybridSequential for "
        "the best performance."
    )
    with pytest.warns(UserWarning, match=re.escape(text)):
        net.hybridize()
    assert net[0]._active
    net.add(nn.Sequential())
    net.hybridize()


def test_children_of_hybrid_blocks():
    with pytest.raises(ValueError, match="Children of HybridBlock must also be HybridBlock, but Sequential"):
        nn.HybridSequential().add(nn.Sequential())
    with pytest.raises(TypeError, match=r"Changing attribute type for d from .*basic_layers.Dense'> to <class 'int'>"):
        net = nn.HybridSequential()
        net.d = nn.Dense(1)
        net.d = 5


# Names ------------------------------------------------------------------------------------------------


def test_automatic_names():
    """Each kind counts by itself; convolutions, poolings and activations by their alias."""
    layers = {
        "dense": nn.Dense(1), "conv": nn.Conv2DTranspose(1, 3), "pool": nn.GlobalAvgPool1D(),
        "tanh": nn.Activation("tanh"),
        "batchnorm": nn.BatchNorm(), "hybridlambda": nn.HybridLambda("relu"), "l2loss": gluon.loss.L2Loss(),
    }  # fmt: skip
    for alias, layer in layers.items():
        assert re.fullmatch(rf"{alias}\d+_", layer.prefix) and layer.name == layer.prefix[:-1]
    assert list(nn.Dense(2, prefix="").collect_params()) == ["weight", "bias"]


def test_shared_parameters():
    a = nn.Dense(3, in_units=2)
    b = nn.Dense(3, in_units=2, params=a.params)
    b.initialize()
    assert a.weight is b.weight and list(b.collect_params()) == [a.weight.name, a.bias.name]
    assert (a(nd.ones((1, 2))).asnumpy() == b(nd.ones((1, 2))).asnumpy()).all()


def operators_of(symbol):
    return [(n["op"], n["name"], n.get("attrs")) for n in json.loads(symbol.tojson())["nodes"] if n["op"] != "null"]


def test_graph_of_a_dense_layer():
    layer = nn.Dense(2, activation="relu", flatten=False, use_bias=False, prefix="d_")
    assert operators_of(layer(sym.var("data"))) == [
        ("FullyConnected", "d_fwd", {"flatten": "False", "no_bias": "True", "num_hidden": "2"}),
        ("Activation", "d_relu_fwd", {"act_type": "relu"}),
    ]


def test_graph_of_a_convolution():
    layer = nn.Conv2D(2, (3, 2), groups=2, use_bias=False, activation="tanh", layout="NHWC", prefix="c_")
    symbol = layer(sym.var("data"))
    assert symbol.attr_dict()["c_weight"]["__shape__"] == "(2, 3, 2, 0)"
    assert operators_of(symbol) == [
        ("Convolution", "c_fwd", {
            "dilate": "(1, 1)", "kernel": "(3, 2)", "layout": "NHWC", "no_bias": "True", "num_filter": "2",
            "num_group": "2", "pad": "(0, 0)", "stride": "(1, 1)",
        }),
        ("Activation", "c_tanh_fwd", {"act_type": "tanh"}),
    ]  # fmt: skip


def test_graph_of_other_layers():
    for layer, expected in (
        (nn.Dropout(0.5, prefix="n_"),
         ("Dropout", "n_fwd", {"axes": "()", "cudnn_off": "False", "p": "0.5"})),
        (nn.Dropout(0, prefix="n_"), ("_copy", "n_identity0", None)),
        (nn.ELU(prefix="n_"), ("LeakyReLU", "n_leakyrelu0", {"act_type": "elu", "slope": "1.0"})),
        (nn.Flatten(prefix="n_"), ("Flatten", "n_flatten0", None)),
        (nn.GlobalAvgPool2D(prefix="n_"), ("Pooling", "n_fwd", {
            "global_pool": "True", "kernel": "(1, 1)", "layout": "NCHW", "pad": "(0, 0)", "pool_type": "avg",
            "pooling_convention": "full", "stride": "(1, 1)"})),
        (nn.AvgPool2D(count_include_pad=False, prefix="n_"), ("Pooling", "n_fwd", {
            "count_include_pad": "False", "global_pool": "False", "kernel": "(2, 2)", "layout": "NCHW",
            "pad": "(0, 0)", "pool_type": "avg", "pooling_convention": "valid", "stride": "(2, 2)"})),
        (nn.LayerNorm(prefix="n_"), ("LayerNorm", "n_layernorm0", {"axis": "-1", "eps": "1e-05"})),
        (nn.BatchNorm(scale=False, prefix="n_"), ("BatchNorm", "n_fwd", {
            "axis": "1", "eps": "1e-05", "fix_gamma": "True", "momentum": "0.9",
            "use_global_stats": "False"})),
        (nn.ReflectionPad2D(1, prefix="n_"),
         ("Pad", "n_pad0", {"mode": "reflect", "pad_width": "(0, 0, 0, 0, 1, 1, 1, 1)"})),
    ):  # fmt: skip
        assert operators_of(layer(sym.var("data"))) == [expected]


# Shapes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "shape"),
    [
        ("nn.Conv2D(4, 3, in_channels=4, groups=2)", (4, 2, 3, 3)),
        ("nn.Conv2D(4, 3, groups=2)", (4, 0, 3, 3)),
        ("nn.Conv2D(4, 3, layout='NHWC', groups=2, in_channels=6)", (4, 3, 3, 3)),
        ("nn.Conv3D(4, 3, layout='NDHWC', in_channels=6)", (4, 3, 3, 3, 6)),
        ("nn.Conv2DTranspose(2, 3, layout='NHWC', in_channels=4)", (4, 3, 3, 2)),
        ("nn.Conv2DTranspose(4, 3, in_channels=6, groups=2)", (6, 2, 3, 3)),
        ("nn.Conv1DTranspose(4, 3)", (0, 4, 3)),
    ],
)
def test_shape_of_convolution_weights(expression, shape):
    assert eval(expression).weight.shape == shape


def test_numbers_become_one_size_an_axis():
    layer = nn.Conv2D(2, numpy.int64(3), strides=2, padding=(1, 0))
    assert repr(layer) == "Conv2D(None -> 2, kernel_size=(3, 3), stride=(2, 2), padding=(1, 0))"
    assert nn.MaxPool2D(3)._kwargs["stride"] == (3, 3)


@pytest.mark.parametrize(
    ("expression", "kind", "message"),
    [
        ("nn.Conv2D(2, (3, 3, 3))", AssertionError, "kernel_size must be a number or a list of 2 ints"),
        ("nn.AvgPool1D((2, 2))", AssertionError, "pool_size must be a number or a list of 1 ints"),
        ("nn.Conv2DTranspose(2, 3, output_padding=(1,))", AssertionError,
         "output_padding must be a number or a list of 2 ints"),
        ("nn.Conv1D(4, 3, layout='NWC')", AssertionError, "Only supports 'NCW' layout for now"),
        ("nn.Conv2D(4, 3, layout='x')", AssertionError, "Only supports 'NCHW' and 'NHWC' layout for now"),
        ("nn.MaxPool3D(layout='x')", AssertionError, "Only NCDHW and NDHWC layouts are valid for 3D Pooling"),
        ("nn.LeakyReLU(-1)", AssertionError, "Slope coefficient for LeakyReLU must be no less than 0."),
        ("nn.HybridLambda(5)", ValueError, "Unrecognized function in lambda: 5 of type <class 'int'>"),
        ("nn.HybridLambda('foo')", AssertionError, "Function name foo is not found in symbol/ndarray."),
        ("nn.Lambda('foo')", AssertionError, "Function name foo is not found in ndarray."),
        ("nn.Dense()", TypeError, "Dense.__init__() missing 1 required positional argument: 'units'"),
        ("cnn.PixelShuffle2D((2, 3, 4))", AssertionError, "wrong length 3"),
        ("nn.Conv2D(4, 3, in_channels=3, groups=2, prefix='c_')", MXNetError,
         "Error in operator c_convolution0: Check failed: dshape[1] % param_.num_group == 0U (1 vs. 0) : "
         "input "
         "num_filter must divide group size"),
    ],
)  # fmt: skip
def test_messages(expression, kind, message):
    with raises(kind, message):
        eval(expression)


def test_shape_errors_name_the_layer():
    layer = nn.Dense(2, in_units=5, prefix="d_")
    layer.initialize()
    with raises(MXNetError, "Shape inconsistent, Provided = [2,5], inferred shape=(2,6)") as caught:
        layer(nd.ones((4, 6)))
    assert "in layer Dense 'd'" in caught.value.__notes__
    layer.hybridize()
    with raises(MXNetError, "Error in operator d_fwd: Shape inconsistent, Provided = [2,5], inferred shape=(2,6)"):
        layer(nd.ones((4, 6)))


# Single layers ---------------------------------------------------------------------------------------


def test_batch_norm_parameters():
    layer = nn.BatchNorm(in_channels=2, center=False, scale=False)
    assert [p.grad_req for p in layer.collect_params().values()] == ["null"] * 4
    layer.cast("float16")
    assert {str(p.dtype) for p in layer.collect_params().values()} == {"float32"}
    layer = nn.BatchNorm()
    assert [p.grad_req for p in layer.collect_params().values()] == ["write", "write", "null", "null"]


@pytest.mark.parametrize("hybrid", [False, True])
def test_running_averages_change_in_the_backward_pass(hybrid):
    layer = nn.BatchNorm(in_channels=2)
    layer.initialize()
    layer.hybridize(hybrid)
    x = nd.array([[1, 2], [3, 6]])
    with autograd.record():
        y = layer(x)
    numpy.testing.assert_allclose(y.asnumpy(), [[-0.999995, -0.9999988], [0.999995, 0.9999988]], rtol=1e-6)
    assert layer.running_mean.data().asnumpy().tolist() == [0, 0]
    y.backward()
    numpy.testing.assert_allclose(layer.running_mean.data().asnumpy(), [0.2, 0.4], rtol=1e-6)
    numpy.testing.assert_allclose(layer.running_var.data().asnumpy(), [1.0, 1.3], rtol=1e-6)


def test_batch_norm_relu():
    x = nd.array([[1, 2], [3, 6]])
    plain, fused = nn.BatchNorm(in_channels=2), nn.BatchNormReLU(in_channels=2)
    for layer in (plain, fused):
        layer.initialize()
    with autograd.train_mode():
        assert (fused(x).asnumpy() == nd.relu(plain(x)).asnumpy()).all()


@pytest.mark.parametrize("hybrid", [False, True])
def test_dropout_is_active_in_training_only(hybrid):
    layer = nn.Dropout(0.5)
    layer.hybridize(hybrid)
    x = nd.ones((20, 20))
    assert layer(x).asnumpy().min() == 1
    with autograd.record():
        values = layer(x).asnumpy()
    assert set(values.ravel()) == {0, 2}
    with autograd.train_mode():
        assert layer(x).asnumpy().min() == 0
    with autograd.record(train_mode=False):
        assert layer(x).asnumpy().min() == 1


@pytest.mark.parametrize("axis", [2, -1])
def test_instance_norm_on_another_axis(axis):
    x = numpy.random.default_rng(0).normal(size=(2, 5, 3)).astype("float32")
    layer = nn.InstanceNorm(axis=axis)
    layer.initialize()
    expected = (x - x.mean(1, keepdims=True)) / numpy.sqrt(x.var(1, keepdims=True) + 1e-5)
    for _ in range(2):
        numpy.testing.assert_allclose(layer(nd.array(x)).asnumpy(), expected, rtol=1e-3, atol=1e-5)
        layer.hybridize()


def test_lambda():
    x = nd.array([-1, 1])
    assert nn.Lambda("relu")(x).asnumpy().tolist() == [0, 1]
    assert nn.Lambda(lambda a, b: a * b)(x, x).asnumpy().tolist() == [1, 1]
    net = nn.HybridLambda(lambda F, a, b: F.broadcast_add(a, b))
    for _ in range(2):
        assert net(x, nd.array([1])).asnumpy().tolist() == [0, 2]
        net.hybridize()
    assert repr(nn.Lambda(nd.relu)) == "Lambda(relu)" and repr(nn.HybridLambda("relu")) == "HybridLambda(relu)"


def test_leaky_relus():
    x = nd.array([-2, 3])
    layer = nn.PReLU()
    layer.initialize()
    assert layer(x).asnumpy().tolist() == [-0.5, 3]
    assert layer.alpha.init.dumps() == '["constant", {"value": 0.25}]'
    assert nn.PReLU(in_channels=3).alpha.shape == (3,)


def test_embedding_gradient():
    layer = nn.Embedding(4, 2, sparse_grad=True)
    layer.initialize(init.One())
    with autograd.record():
        y = layer(nd.array([1, 1, 3])).sum()
    y.backward()
    assert layer.weight.grad().asnumpy().tolist() == [[0, 0], [2, 2], [0, 0], [1, 1]]


# contrib ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [cnn.HybridConcurrent, cnn.Concurrent])
def test_concurrent(make):
    net = make(axis=1, prefix="hc_")
    with net.name_scope():
        net.add(nn.Dense(2), nn.Dense(3), cnn.Identity())
    net.initialize()
    assert net.axis == 1 and net(nd.ones((1, 4))).shape == (1, 9)
    if make is cnn.HybridConcurrent:
        net.hybridize()
        assert net(nd.ones((1, 4))).shape == (1, 9)
        assert net(sym.var("data")).name == "hc_concat0"


@pytest.mark.parametrize("make", [cnn.HybridConcurrent, cnn.Concurrent])
def test_concurrent_with_numpy_arrays(make):
    with mx.util.np_shape(), mx.util.np_array():
        net = make(axis=1)
        net.add(nn.Dense(2), nn.Dense(3))
        net.initialize()
        for _ in range(2):
            assert net(mx.np.ones((1, 4))).shape == (1, 5)
            if make is cnn.HybridConcurrent:
                net.hybridize()


@pytest.mark.parametrize("hybrid", [False, True])
@pytest.mark.parametrize(
    ("layer", "factors", "shape"),
    [
        (cnn.PixelShuffle1D, (2,), (2, 6, 3)),
        (cnn.PixelShuffle2D, (2, 3), (1, 12, 3, 5)),
        (cnn.PixelShuffle3D, (2, 3, 4), (1, 48, 2, 3, 2)),
    ],
)
def test_pixel_shuffle(layer, factors, shape, hybrid):
    x = numpy.arange(numpy.prod(shape), dtype="float32").reshape(shape)
    n = len(factors)
    split = x.reshape(shape[0], -1, *factors, *shape[2:])
    order = [0, 1]
    for i in range(n):
        order += [2 + n + i, 2 + i]
    expected = split.transpose(order).reshape(
        shape[0], split.shape[1], *(s * f for s, f in zip(shape[2:], factors, strict=True))
    )
    net = layer(factors[0] if n == 1 else factors)
    net.hybridize(hybrid)
    assert (net(nd.array(x)).asnumpy() == expected).all()
    assert repr(net) == f"{layer.__name__}({factors[0] if n == 1 else factors})"


def test_sparse_embedding():
    layer = cnn.SparseEmbedding(4, 2)
    layer.initialize(init.One())
    assert repr(layer) == "SparseEmbedding(4 -> 2, float32)"
    assert layer(nd.array([1, 3])).asnumpy().tolist() == [[1, 1], [1, 1]]


def test_sync_batch_norm():
    text = "Caution using SyncBatchNorm: if not using all the GPUs, please mannually set num_devices"
    with pytest.warns(UserWarning, match=text):
        layer = cnn.SyncBatchNorm(prefix="s_")
    assert repr(layer) == (
        "SyncBatchNorm(eps=1e-05, momentum=0.9, fix_gamma=False, use_global_stats=False, ndev=1, key='s_', "
        "in_channels=None)"
    )
    layer = cnn.SyncBatchNorm(num_devices=1)
    layer.initialize()
    with autograd.record():
        y = layer(nd.array([[1, 2], [3, 6]]))
    numpy.testing.assert_allclose(y.asnumpy(), [[-1, -1], [1, 1]], rtol=1e-4)
