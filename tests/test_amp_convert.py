"""Graphs in mixed precision: the casts stand where MXNet 1.9.1 puts them (its answers stand here as lists)."""

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, nd, sym
from d2lhybrid.contrib import amp


def network():
    x = sym.Convolution(sym.var("data"), num_filter=4, kernel=(3, 3), name="conv")
    x = sym.Activation(sym.BatchNorm(x, name="bn"), act_type="relu", name="r")
    y = sym.Convolution(x, num_filter=4, kernel=(3, 3), pad=(1, 1), name="conv2")
    x = sym.Pooling(sym.elemwise_add(x, y, name="add"), kernel=(2, 2), pool_type="max", name="pool")
    x = sym.Activation(sym.FullyConnected(x, num_hidden=3, name="fc1"), act_type="softrelu", name="sr")
    return sym.softmax(sym.FullyConnected(x, num_hidden=3, name="fc2"), name="sm")


def operators(symbol):
    return [node.name for node in symbol._nodes() if node.op is not None]


HALF = "_amp_cast_float16"
MXNETS = [
    f"data{HALF}", f"conv_weight{HALF}", f"conv_bias{HALF}", "conv", "bn", "r", f"conv2_weight{HALF}",
    f"conv2_bias{HALF}", "conv2", "add", "pool", f"fc1_weight{HALF}", f"fc1_bias{HALF}", "fc1",
    "fc1_output_amp_cast_float32", "sr", f"sr_output{HALF}", f"fc2_weight{HALF}", f"fc2_bias{HALF}", "fc2",
    "fc2_output_amp_cast_float32", "sm",
]  # fmt: skip


def test_casts_stand_where_mxnet_puts_them():
    assert operators(amp.convert_symbol(network(), data_names=["data"])) == MXNETS
    direct = amp.convert_symbol(network(), data_names=["data"], cast_optional_params=True)
    assert operators(direct) == [name for name in MXNETS if not name.endswith((f"weight{HALF}", f"bias{HALF}"))]
    types = {name: attrs["__dtype__"] for name, attrs in direct.attr_dict().items() if "__dtype__" in attrs}
    assert types == {
        **dict.fromkeys(["conv_weight", "conv_bias", "conv2_weight", "conv2_bias"], "2"),
        **dict.fromkeys(["fc1_weight", "fc1_bias", "fc2_weight", "fc2_bias"], "2"),
        **dict.fromkeys(["bn_gamma", "bn_beta", "bn_moving_mean", "bn_moving_var"], "0"),
    }


def test_names_can_be_excluded_and_lists_replaced():
    found = operators(amp.convert_symbol(network(), data_names=["data"], excluded_sym_names=["fc2"]))
    assert found == [n for n in MXNETS if not n.startswith(("fc2_", "sr_output"))]
    found = operators(amp.convert_symbol(network(), target_dtype_ops=["Convolution"], fp32_ops=["BatchNorm"]))
    assert "conv_output_amp_cast_float32" in found and f"fc1_weight{HALF}" not in found


def test_arrays_of_unknown_types_go_to_the_widest():
    data, mask = sym.var("data"), sym.var("mask")
    both = sym.broadcast_mul(
        sym.dot(data, mask, name="dot"), sym.FullyConnected(data, num_hidden=2, name="fc2"), name="bm"
    )
    assert operators(amp.convert_symbol(both, data_names=["data", "mask"])) == [
        "data_amp_multicast", "dot", f"data{HALF}", f"fc2_weight{HALF}", f"fc2_bias{HALF}", "fc2",
        "dot_0_amp_multicast", "bm", "bm_0_amp_cast_float32",
    ]  # fmt: skip
    pieces = sym.split(sym.FullyConnected(data, num_hidden=3, name="fc1"), num_outputs=3, axis=1, name="sp")
    joined = sym.concat(pieces[0], pieces[2], sym.exp(pieces[1], name="e"), dim=1, name="c")
    assert operators(amp.convert_symbol(joined, data_names=["data"]))[-5:] == [
        "sp_output0_amp_cast_float32", "sp_output2_amp_cast_float32", "sp_output1_amp_cast_float32", "e", "c",
    ]  # fmt: skip


@pytest.mark.parametrize("cast", [False, True])
def test_a_model_gives_nearly_the_same(cast):
    symbol = network()
    shapes = dict(zip(symbol.list_arguments(), symbol.infer_shape(data=(2, 3, 8, 8))[0], strict=True))
    rng = numpy.random.default_rng(3)
    arguments = {n: nd.array(rng.normal(size=s) * 0.3) for n, s in shapes.items() if n != "data"}
    states = {"bn_moving_mean": nd.zeros(4), "bn_moving_var": nd.ones(4)}
    data = nd.array(rng.normal(size=(2, 3, 8, 8)))
    expected = symbol.bind(mx.cpu(), {"data": data, **arguments}, aux_states=states).forward()[0].asnumpy()
    converted, new, aux = amp.convert_model(symbol, arguments, states, cast_optional_params=cast)
    assert arguments["fc1_weight"].dtype == numpy.float32  # the given dictionary is left alone
    assert new["fc1_weight"].dtype == (numpy.float16 if cast else numpy.float32)
    assert new["bn_gamma"].dtype == aux["bn_moving_mean"].dtype == numpy.float32
    found = converted.bind(mx.cpu(), {"data": data, **new}, aux_states=aux).forward()[0]
    assert found.dtype == numpy.float32
    numpy.testing.assert_allclose(found.asnumpy(), expected, rtol=2e-2, atol=2e-3)


@pytest.mark.parametrize("cast", [False, True])
def test_a_block_gives_nearly_the_same(cast):
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Conv2D(4, 3), gluon.nn.BatchNorm(), gluon.nn.Dense(3))
    net.initialize()
    x = nd.random.normal(shape=(2, 3, 6, 6))
    with pytest.raises(RuntimeError, match="hybridize"):
        amp.convert_hybrid_block(net)
    net.hybridize()
    expected = net(x).asnumpy()
    made = amp.convert_hybrid_block(net, cast_optional_params=cast)
    numpy.testing.assert_allclose(made(x).asnumpy(), expected, rtol=2e-2, atol=1e-2)
    assert made.collect_params()[net[2].weight.name].dtype == (numpy.float16 if cast else numpy.float32)
    assert net[2].weight.data().dtype == numpy.float32


def bucket(length):
    rows = sym.Embedding(sym.var("data"), input_dim=9, output_dim=4, name="table")
    one = sym.FullyConnected(sym.mean(rows, axis=1), num_hidden=3, name="fc")
    if length > 3:  # what other buckets have not
        one = sym.FullyConnected(one, num_hidden=3, name="long")
    return sym.SoftmaxOutput(one, name="softmax"), ["data"], ["softmax_label"]


def sentences(length):
    return mx.io.DataBatch(
        [nd.ones((2, length))], [nd.ones(2)], bucket_key=length,
        provide_data=[("data", (2, length))], provide_label=[("softmax_label", (2,))],
    )  # fmt: skip


@pytest.mark.parametrize("cast", [False, True])
def test_the_buckets_of_a_module_give_nearly_the_same(cast):
    module = mx.mod.BucketingModule(bucket, default_bucket_key=5)
    shapes = [("data", (2, 5))], [("softmax_label", (2,))]
    module.bind(*shapes)
    module.init_params(mx.init.Normal(1))
    module.forward(sentences(3), is_train=False)
    made = amp.amp.convert_bucketing_module(module, cast_optional_params=cast)
    made.bind(*shapes, for_training=False)
    for length in (5, 3):
        for one in (module, made):
            one.forward(sentences(length), is_train=False)
        assert "amp_cast" in operators_of(made.symbol) and "amp_cast" not in operators_of(module.symbol)
        numpy.testing.assert_allclose(
            made.get_outputs()[0].asnumpy(), module.get_outputs()[0].asnumpy(), rtol=2e-2, atol=2e-3
        )
    weight = made.get_params()[0]["long_weight"]
    assert weight.dtype == (numpy.float16 if cast else numpy.float32)
    assert module.get_params()[0]["long_weight"].dtype == numpy.float32


def operators_of(symbol):
    return {node.op.name for node in symbol._nodes() if node.op is not None}


def test_only_a_module_of_buckets_with_parameters_is_converted():
    with pytest.raises(AssertionError, match="should be instance of bucketing module"):
        amp.amp.convert_bucketing_module(None)
    module = mx.mod.BucketingModule(bucket, default_bucket_key=5)
    with pytest.raises(AssertionError, match="should not be empty"):
        amp.amp.convert_bucketing_module(module)
    module.bind([("data", (2, 5))], [("softmax_label", (2,))])
    with pytest.raises(AssertionError, match="params should be initialized"):
        amp.amp.convert_bucketing_module(module)


def test_lists():
    half, single, widest = (
        amp.list_lp16_ops("float16"),
        amp.list_fp32_ops("float16"),
        amp.list_widest_type_cast("float16"),
    )
    assert {"Convolution", "RNN"} <= {*half} and {"exp", "softmax", "sum", "linalg_gemm2"} <= {*single}
    assert {"dot", "concat", "broadcast_add"} <= {*widest}
    either = amp.list_lp16_fp32_ops(numpy.float16)
    assert {"relu", "reshape", "_MulScalar"} <= {*either}
    lists = [half, single, widest, either, [entry[0] for entry in amp.list_conditional_fp32_ops("float16")]]
    assert len({name for names in lists for name in names}) == sum(map(len, lists))
    assert amp.list_lp16_use_fp32_params("float16") is None


MISTAKES = {
    "an operator in two lists": ({"target_dtype_ops": ["exp"], "fp32_ops": ["exp"]}, AssertionError, "two or more"),
    "an operator of neither": ({"target_dtype_ops": ["dot"]}, AssertionError, "No list of operators can contain dot"),
    "no list": ({"fp32_ops": "exp"}, AssertionError, "operators and names must be in lists"),
    "another type": ({"target_dtype": "float64"}, AssertionError, "only float16"),
    "no type": ({"target_dtype": "half a float"}, AssertionError, "only float16"),
    "bfloat16": ({"target_dtype": "bfloat16"}, mx.MXNetError, "bfloat16 is not a supported element type"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_told(name):
    given, kind, message = MISTAKES[name]
    with pytest.raises(kind, match=message):
        amp.convert_symbol(network(), **given)
    with pytest.raises(AssertionError, match="should be Symbol"):
        amp.convert_symbol(gluon.nn.Dense(1))
