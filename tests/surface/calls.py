"""Calls by position and by name whose outcome was recorded from MXNet 1.9.1, with its own interpreter.

``python tests/surface/calls.py OUT.json`` writes ``{call: outcome}``: what was returned as text, or that there was an
error. Each call is of a function whose parameters were not MXNet's once, or of one with parameters that MXNet does not
show.
"""

import json
import os
import sys
import tempfile

CALLS = """
nd.empty((2, 2), stype="csr")
nd.empty((2, 2), None, None, "row_sparse")
nd.empty((2,), mx.cpu(), "int8").dtype
nd.empty((2,), stype="foo")
nd.sparse.empty("csr", (2, 3))
nd.sparse.empty(stype="csr", shape=(2, 2), dtype="int32").dtype
nd.sparse.empty("default", (2, 2))
nd.sparse.zeros("foo", (2, 2))
nd.sparse.zeros("csr", (2, 3), foo=1)
nd.sparse.zeros("row_sparse", (2, 1)).asnumpy().tolist()
nd.zeros((2, 2), mx.cpu(), "float64", "csr")
nd.zeros((2, 2), stype="foo")
nd.zeros((2, 2), stype="csr").tostype("default")
nd.ndarray.zeros((2, 2), stype="csr")
nd.ndarray.zeros((2, 2), mx.cpu(), "int32")
nd.array(nd.sparse.zeros("csr", (2, 2)))
nd.array(nd.sparse.zeros("row_sparse", (2, 2)), dtype="int32")
nd.utils.array([1, 2])
nd.power(2, x)
nd.power(base=x, exp=2)
nd.power(x, exp=x)
nd.power(2, 3)
sym.pow(2, 3)
sym.power(base=2, exp=a).list_arguments()
sym.pow(base=a, exp=2).list_arguments()
sym.pow(a, b).infer_shape(a=(2,))[1]
nd.from_numpy(numpy.ones((2,), "float32"), True, mx.np.ndarray)
nd.from_numpy(numpy.ones((2,), "float32"), zero_copy=False, array_cls=mx.np.ndarray)
nd.from_numpy(numpy.ones((2,), "float32"), array_cls=nd.NDArray)
nd.linalg.potrf(spd, lower=False)
nd.linalg.potrf(spd, nd.zeros((2, 2)))
nd.linalg.potrf(spd, False)
nd.linalg_potri(spd, lower=False)
nd.linalg.potri(spd, nd.zeros((2, 2)))
sym.linalg.potrf(a, "node").list_outputs()
sym.linalg.potrf(a, "node", lower=False).list_outputs()
sym.BatchNorm_v1(a, b, c, 0.25, name="bn").list_arguments()
sym.BatchNorm_v1(a, b, c, 0.25, name="bn").list_attr()["eps"]
sym.BatchNorm_v1(data=a, name="bn").list_auxiliary_states()
nd.random.multinomial(nd.array([0.0, 1.0]), (3,), False, nd.zeros((3,), dtype="int32"))
nd.random.multinomial(nd.array([0.0, 1.0]), 2, True)
sym.random.multinomial(a).list_outputs()
sym.random.multinomial(a, get_prob=False).list_outputs()
sym.random.multinomial(a, (2,), False, "int32").list_outputs()
sym.random.uniform(0, 1, (2,), "float32", mx.cpu())
sym.random.uniform(0, 1, (2,), ctx="cpu(0)").list_attr()["ctx"]
sym.random.normal(0, 1, (2,), "float64", name="n").list_outputs()
sym.random.poisson(a, (2,)).list_arguments()
sym.random.gamma(alpha=a, beta=b, shape=(2,)).list_arguments()
sym.random.exponential(2.0, shape=(3,), name="e").infer_shape()[1]
sym.random.randint(low=1, high=3, shape=(2,)).infer_shape()[1]
sym.random.negative_binomial(1, 0.5, (2,)).infer_shape()[1]
sym.random.generalized_negative_binomial(1, 0.5, (2,), dtype="float64").infer_shape()[1]
sym.Variable("v", None, (2,), 1.0, 2.0, "float32", "zeros", "csr").list_attr()["__storage_type__"]
a.expand_dims(0, True).list_outputs()
a.expand_dims(axis=0, inplace=False, name="q").list_outputs()
a.squeeze(1, True).list_outputs()
a.squeeze((0,), inplace=False, name="k").list_outputs()
a.flatten(True).list_outputs()
a.flatten(name="u").list_outputs()
a.diag(1).infer_shape(a=(3, 3))[1]
a.diag(k=1, name="v").list_outputs()
a.astype("float16", name="w").list_outputs()
a.astype("float16", "w").list_outputs()
a.astype(dtype="float16").infer_type(a="float32")[1]
nd.ones((2, 2)).diag(1)
nd.ones((2, 2)).diag(k=1, axis1=0, axis2=1)
nd.ones((1, 2)).broadcast_like(other=nd.ones((2, 2)))
nd.ones((1, 2)).broadcast_like(nd.ones((2, 2)))
[s.shape for s in residual.begin_state(nd.zeros, batch_size=2)]
residual.begin_state(2)
type(residual.begin_state(batch_size=2)[0]).__name__
[s.shape for s in row.begin_state(batch_size=2, func=nd.ones)]
row.begin_state(2)
both.begin_state(2)
[s.shape for s in both.begin_state(batch_size=2)]
sorted(mx.AttrScope(a="1").get(attr={"b": "2"}).items())
sorted(mx.AttrScope(__a__="1", lr_mult="2").get({"c": "d", "lr_mult": "4"}).items())
in_scope(lambda: sorted(sym.var("v").list_attr().items()), a="1", __b__="2", lr_mult="3")
in_scope(lambda: sorted(sym.relu(a, name="r").list_attr().items()), a="1")
in_scope(lambda: sym.FullyConnected(a, num_hidden=2), a="1")
in_scope(lambda: sym.FullyConnected(a, name="f").infer_shape(a=(1, 2))[1], num_hidden="3")
sym.FullyConnected(a, num_hidden=2, attr={"q": "z"})
sym.FullyConnected(a, num_hidden=2, attr={"num_hidden": "3"}).infer_shape(a=(1, 2))[1]
mx.metric.CompositeEvalMetric().update_dict(labels={}, preds={})
mx.kvstore.base.TestStore.is_capable("optimizer")
mx.gluon.nn.BatchNormReLU(1, 0.8)
mx.gluon.nn.BatchNormReLU(in_channels=2, foo=3)
mx.rnn.ConvRNNCell((1, 3, 4, 4), 2)._prefix
mx.rnn.ConvLSTMCell((1, 3, 4, 4), 2, prefix="")._prefix
mx.rnn.ConvGRUCell((1, 3, 4, 4), 2, prefix="p_")._prefix
mx.rnn.BaseConvRNNCell((1, 3, 4, 4), 2, *[(3, 3), (1, 1)] * 2, (1, 1), (1, 1), *[None] * 4, "relu")._prefix
mx.util.set_np(True, True, True)
hybridized(True, None, True, True, True)
optimized(x, backend=None, clear=False)
mx.image.imread(png, 0).shape
mx.image.imread(png, 1, 0)[0, 0]
mx.image.imread(png, flag=1, to_rgb=True, name="n")[0, 0]
mx.image.imread(png, foo=1)
mx.image.imdecode(open(png, "rb").read(), 0).shape
mx.image.imdecode(open(png, "rb").read(), 1, False)[0, 0]
mx.image.imdecode(open(png, "rb").read(), to_rgb=1, name="n").shape
mx.image.imresize(picture, 4, 6, 0).shape
mx.image.imresize(picture, w=4, h=6, interp=2, name="n").shape
mx.image.imresize(picture, 4, 6, 0, nd.zeros((6, 4, 3), dtype="uint8")).shape
mx.image.image.copyMakeBorder(picture, 1, 2, 3, 4, 0, 9.0)[0, 0]
mx.image.image.copyMakeBorder(picture, 1, 2, 3, 4, type=0, values=(7.0, 8.0, 9.0))[0, 0]
mx.image.image.copyMakeBorder(picture, 1, 2, 3, 4, 1, name="n").shape
nd.concat(x, x, dim=0).shape
nd.concat(x, x, dim=0, name="n", out=nd.zeros((4, 2))).shape
nd.Concat(x, x).shape
sym.concat(a, b, dim=0, name="n").list_outputs()
sym.Concat(a, b, name="n", attr={"__k__": "1"}).attr("__k__")
nd.stack(x, x, axis=1).shape
sym.stack(a, b, axis=1, num_args=2, name="n").list_arguments()
nd.UpSampling(nd.ones((1, 1, 2, 2)), scale=2, sample_type="nearest", num_args=1).shape
nd.Crop(nd.ones((1, 1, 4, 4)), num_args=1, h_w=(2, 2), offset=(1, 1)).shape
sym.Crop(a, b, num_args=2, name="n").list_arguments()
[y.dtype for y in nd.amp_multicast(x, x.astype("float16"), num_outputs=2)]
nd.multi_sum_sq(x, x, num_arrays=2)
nd.multi_all_finite(x, x, num_arrays=2)
nd.reset_arrays(nd.ones((2,)), num_arrays=1)
nd.multi_sgd_update(one(), one(), lrs=(0.5,), wds=(0.0,), num_weights=1, out=one())
nd.multi_sgd_mom_update(one(), one(), one(), lrs=(1.0,), wds=(0.0,), momentum=0.5, num_weights=1, out=one())
nd.multi_mp_sgd_update(one("float16"), one("float16"), one(), lrs=(0.5,), wds=(0.0,), num_weights=1, out=one("float16"))
nd.preloaded_multi_sgd_update(one(), one(), nd.array([0.5]), nd.array([0.0]), num_weights=1, out=one())
nd.multi_sgd_update(x, x, lrs=(1,), wds=(0,), num_weights=1, foo=3)
nd.add_n(x, x, out=nd.zeros((2, 2)))
nd.contrib.isnan(x)
nd.contrib.isfinite(data=x)
mx.npx.nonzero(x=mx.np.array([0, 1, 2]))
mx.npx.nonzero(a=mx.np.array([0, 1, 2]))
mx.npx.constraint_check(input=mx.np.array([True]) == True, msg="bad")
mx.npx.reshape(mx.np.ones((2, 2)), (-1,), False, "C").shape
mx.npx.reshape(a=mx.np.ones((2, 2)), newshape=(-5, 1)).shape
mx.optimizer.SGLD(learning_rate=0.5, wd=0.25).wd
mx.optimizer.ccSGD(momentum=0.5, learning_rate=0.5).momentum
mx.optimizer.ccSGD(0.5).momentum
mx.gluon.nn.Flatten(prefix="p_").prefix
mx.gluon.nn.Flatten(foo=1)
mx.gluon.nn.GELU(prefix="p_", params=None).prefix
mx.io.CSVIter("a")
mx.np.random.multinomial(1, [1.0], None)
mx.np.random.multinomial(1, [1.0], size=(2,))
mx.np.random.multinomial(1, [1.0], foo=2)
mx.np.ones((2, 2)).diag(1)
mx.np.ones((2, 2)).broadcast_like(mx.np.ones((2, 2)))
mx.np.ones((1,)).asscalar()
mx.np.ones((2, 2)).tostype("csr")
nd.cast_storage(stype="csr")
nd.cast_storage(x, "csr")
nd.sparse.retain(rows, nd.array([0])).asnumpy().tolist()
nd.sparse.retain(indices=nd.array([1]), data=rows, out=rows.copy()).asnumpy().tolist()
nd.sparse.retain()
mx.np.in1d(table, mx.np.array([1, 4]), True, True)
mx.np.alltrue(table, 0)
mx.np.corrcoef(table, None, True, True, 1).round(3)
mx.np.corrcoef(table, ddof=None).round(3)
mx.np.histogram2d(table[0], table[1], 2, None, True)
mx.np.histogram2d(table[0], table[1], 2, None, None, table[0], True)
mx.np.histogram2d(table[0], table[1], 2, normed=True, density=True)
mx.np.histogramdd(table, 2, None, True)
mx.np.histogramdd(table, 2, None, None, table[0], False)
mx.np.histogramdd(table, 2, normed=False, density=True)
mx.np.nanpercentile(table, 40.0, 0, None, False, "lower")
mx.np.nanpercentile(table, 40.0, interpolation="nearest")
mx.np.nanquantile(table, 0.25, 1, keepdims=True, interpolation="midpoint")
mx.np.nanquantile(table, 0.25, method="lower", interpolation="higher")
mx.np.trim_zeros(mx.np.array([0, 1, 0]), "f")
mx.np.pad(mx.np.ones((2,)))
mx.np.pad(mx.np.ones((2,)), 1)
mx.np.row_stack([mx.np.ones((2,))]).shape
a.asnumpy()
a.asscalar()
a.backward()
a.copy()
a.detach()
a.wait_to_read()
mx.initializer.register(Zeros).__name__
mx.gluon.data.vision.transforms.ToTensor().hybrid_forward(nd, picture).shape
mx.gluon.data.vision.transforms.Cast("float64").hybrid_forward(F=nd, x=picture).dtype
mx.gluon.nn.SELU(prefix="p_").prefix
mx.gluon.model_zoo.vision.mobilenet.RELU6(prefix="p_").prefix
mx.gluon.data.vision.transforms.RandomFlipLeftRight()
[r.dtype.__name__ for r in nd.contrib.rand_zipfian(nd.array([3, 0]), num_sampled=4, range_max=5, ctx=mx.cpu())]
nd.contrib.rand_zipfian(nd.array([3, 0]), 4, 5)[1].asnumpy().round(9).tolist()
nd.contrib.rand_zipfian(nd.array([3, 0]), 4, 1)[0].asnumpy().tolist()
[len(r.list_arguments()) for r in sym.contrib.rand_zipfian(a, 4, range_max=5)]
sym.contrib.rand_zipfian(nd.array([3, 0]), 4, 5)
nd.op.Custom is nd.Custom and sym.op.Custom is sym.Custom
mx.io.io.CSVIter is mx.io.CSVIter and mx.io.io.MXDataIter is mx.io.MXDataIter
mx.io.io.ImageRecordIter_v1 is mx.io.ImageRecordIter_v1
[mx.log.get_logger("surface", level=mx.log.INFO).level, mx.log.get_logger("surface", None, None, mx.log.DEBUG).level]
nd.contrib.RROIAlign(nd.ones((1, 1, 4, 4)), nd.array([[0, 2, 2, 2, 2, 45]]), (1, 2), 1, 2).asnumpy().tolist()
sym.contrib.RROIAlign(a, b, pooled_size=(1, 1), spatial_scale=1, name="n").list_outputs()
sym.contrib.hawkesll(name="n").list_arguments()
sym.contrib.hawkesll(name="n").list_outputs()
sym.contrib.count_sketch(a, name="n", out_dim=5).list_arguments()
sym.contrib.count_sketch(a, b, c, out_dim=5, name="n").infer_shape(a=(2, 1, 3, 4), b=(1, 4), c=(1, 4))[1]
sym.contrib.fft(a, compute_size=3, name="n").infer_shape(a=(2, 1, 3, 4))[1]
sym.contrib.ifft(a, 128, name="n").infer_shape(a=(2, 8))[1]
sym.contrib.fft(a, name="n").list_outputs()
sym.Convolution_v1(a, name="n", kernel=(2, 2), num_filter=3).list_arguments()
sym.Convolution_v1(a, name="n", kernel=(2, 2), num_filter=3).infer_shape(a=(1, 4, 5, 6))[0]
nd.Convolution_v1(nd.ones((1, 1, 5)), nd.ones((1, 1, 2)), no_bias=True, kernel=(2,), num_filter=1)
sym.Pooling_v1(a, (2, 3), "avg", False, "full", (2, 2), (1, 1), name="n").infer_shape(a=(1, 4, 5, 6))[1]
sym.Pooling_v1(a, name="n", kernel=(2, 2)).list_outputs()
nd.Pooling_v1(nd.ones((1, 4, 5, 6)), kernel=(7, 2))
""".strip().splitlines()


def names():
    """Return what the calls speak of."""
    import mxnet as mx  # type: ignore[import-not-found]
    import numpy

    nd, sym = mx.nd, mx.sym
    row = mx.gluon.rnn.SequentialRNNCell()
    row.add(mx.gluon.rnn.RNNCell(3))
    png = os.path.join(tempfile.mkdtemp(), "picture.png")
    with open(png, "wb") as stream:
        stream.write(bytes.fromhex(PNG))

    def in_scope(make, **attributes):
        with mx.AttrScope(**attributes):
            return make()

    def one(dtype="float32"):
        return nd.ones((2,), dtype=dtype)

    def dense():
        layer = mx.gluon.nn.HybridSequential()
        layer.add(mx.gluon.nn.Dense(1))
        layer.initialize()
        return layer

    def hybridized(*given):
        layer = dense()
        layer.hybridize(*given)
        return dict(layer._flags)["static_alloc"], layer(nd.ones((1, 2))).shape

    def optimized(value, **given):
        layer = dense()
        layer.hybridize()
        return layer(value).shape

    class Zeros(mx.initializer.Zero):
        pass

    return {
        "table": mx.np.array([[1, 2], [4, 3]]),
        "rows": nd.ones((2, 2)).tostype("row_sparse"),
        "Zeros": Zeros, "mx": mx, "nd": nd, "sym": sym, "numpy": numpy, "x": nd.array([[1, 2], [3, 4]]), "png": png,
        "spd": nd.array([[2, 1], [1, 3]]), "a": sym.var("a"), "b": sym.var("b"), "c": sym.var("c"),
        "picture": nd.ones((2, 3, 3), dtype="uint8"), "row": row, "in_scope": in_scope, "hybridized": hybridized,
        "residual": mx.gluon.rnn.ResidualCell(mx.gluon.rnn.RNNCell(3)), "optimized": optimized, "one": one,
        "both": mx.gluon.rnn.BidirectionalCell(mx.gluon.rnn.RNNCell(3), mx.gluon.rnn.RNNCell(3)),
    }  # fmt: skip


#: A picture of 2 by 1 pixels, one red and one blue.
PNG = (
    "89504e470d0a1a0a0000000d49484452000000020000000108020000007b40e8dd0000"
    "000d49444154789c63f8cf0004ff01070001ffe2239e590000000049454e44ae426082"
)


def outcome(call, given):
    """Return what a call gives as text, or the word for an error."""
    try:
        return str(eval(call, given)).replace("d2lhybrid", "mxnet")
    except Exception:
        return "an error"


def outcomes():
    """Return the outcome of every call."""
    given = names()
    try:
        return {call: outcome(call, given) for call in CALLS}
    finally:
        given["mx"].util.reset_np()


def show():
    """Print the outcomes of this package."""
    json.dump(outcomes(), sys.stdout)


if __name__ == "__main__":
    with open(sys.argv[1], "w") as stream:
        json.dump(outcomes(), stream, indent=1, ensure_ascii=False)
        stream.write("\n")
