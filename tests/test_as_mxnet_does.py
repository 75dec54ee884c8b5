"""What real MXNet 1.9.1 does, in corners that its own tests look into."""

import math
import subprocess
import sys
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd, np
from d2lhybrid.gluon import nn

# --- sparse storage ----------------------------------------------------------------------------------


def rows(*numbers):
    """Return a row-sparse array of three rows."""
    return nd.sparse.row_sparse_array(([[1.0, 2.0]] * len(numbers), list(numbers)), shape=(3, 2))


@pytest.mark.parametrize(
    ("compute", "stype"),
    [
        (lambda r: r + rows(2), "row_sparse"),
        (lambda r: r - rows(2), "row_sparse"),
        (lambda r: nd.add_n(r, rows(2)), "row_sparse"),
        (lambda r: r * nd.ones((3, 2)), "row_sparse"),
        (lambda r: nd.ones((3, 2)) * r, "default"),
        (lambda r: r + nd.ones((3, 2)), "default"),
        (lambda r: r / rows(2), "default"),
        (lambda r: 2 * r / 3, "row_sparse"),
        (lambda r: r + 1, "default"),
        (lambda r: r**2, "default"),
        (lambda r: r > 0, "row_sparse"),
        (lambda r: r >= 0, "default"),
        (lambda r: nd.clip(nd.sqrt(r), 0, 1), "row_sparse"),
        (lambda r: nd.clip(r, 1, 2), "default"),
        (nd.exp, "default"),
        (nd.sum, "default"),
        (lambda r: nd.dot(r, nd.ones((2, 2))), "default"),
    ],
)
def test_results_have_the_storage_type_of_mxnet(compute, stype):
    with numpy.errstate(all="ignore"):
        sparse, dense = compute(rows(1)), compute(rows(1).tostype("default"))
    assert sparse.stype == stype
    numpy.testing.assert_array_equal(sparse.asnumpy(), dense.asnumpy())


def test_a_sparse_result_keeps_its_gradient():
    x = rows(0, 2)
    x.attach_grad()
    with autograd.record():
        y = nd.square(x) * 3 + x
    y.backward()
    assert y.stype == "row_sparse"
    numpy.testing.assert_array_equal(x.grad.asnumpy(), 6 * x.asnumpy() + 1)


def test_csr_matrices_of_places_and_of_scipy():
    made = nd.sparse.csr_matrix(([1.0, 2.0, 4.0], ([0, 1, 1], [2, 0, 0])), shape=(2, 4))
    assert made.asnumpy().tolist() == [[0, 0, 1, 0], [6, 0, 0, 0]]  # what is named twice is added up
    assert nd.sparse.csr_matrix(([1.0], ([1], [2]))).shape == (2, 3)
    for wrong in (([1.0], ([2], [0])), ([1.0], ([0], [9])), ([1.0], ([0], [-1])), ([1.0], [9], [0, 1, 1])):
        with pytest.raises(ValueError, match="index exceeds matrix dimensions"):
            nd.sparse.csr_matrix(wrong, shape=(2, 3))
    scipy = pytest.importorskip("scipy.sparse")
    theirs = scipy.csr_matrix(numpy.eye(2, 3, dtype="int32"))
    for ours in (nd.sparse.csr_matrix(theirs), nd.sparse.array(theirs)):
        assert (ours.stype, ours.dtype) == ("csr", numpy.int32) and ours.asnumpy().tolist() == theirs.toarray().tolist()
    with pytest.raises(ValueError, match="Shape mismatch"):
        nd.sparse.csr_matrix(theirs, shape=(3, 3))


@pytest.mark.parametrize("hybridize", [False, True])
def test_the_gradient_of_a_sparse_embedding_is_sparse(hybridize):
    net = nn.Embedding(5, 2, sparse_grad=True)
    net.initialize()
    if hybridize:
        net.hybridize()
    for _ in range(2):
        with autograd.record():
            net(nd.array([3, 1, 3])).sum().backward()
        gradient = net.weight.grad()
        assert gradient.stype == "row_sparse" and gradient.indices.asnumpy().tolist() == [1, 3]
        assert gradient.data.asnumpy().tolist() == [[1, 1], [2, 2]]
    net.collect_params().zero_grad()
    assert net.weight.grad().stype == "row_sparse" and not net.weight.grad().asnumpy().any()
    x = nd.ones((2, 2))
    x.attach_grad(stype="row_sparse")
    assert x.grad.stype == "row_sparse"


def test_ftrl_and_nag_change_the_rows_of_a_sparse_gradient_alone():
    for optimizer, weight, untouched in [
        (mx.optimizer.Ftrl(), rows(0, 1, 2), True),
        (mx.optimizer.Ftrl(), nd.ones((3, 2)), False),
        (mx.optimizer.NAG(wd=0.1), nd.ones((3, 2)), True),
        (mx.optimizer.NAG(wd=0.1, momentum=0.9), nd.ones((3, 2)), False),
    ]:
        before = weight.asnumpy()
        optimizer.update(0, weight, rows(1), optimizer.create_state(0, weight))
        changed = (weight.asnumpy() != before).any(axis=1).tolist()
        assert changed == [not untouched, True, not untouched]


def test_a_store_leaves_sparse_arrays_alone_unless_told():
    store: Any = mx.kv.create("local")
    store.init("a", nd.ones((3, 2)))
    out = [rows(1), nd.zeros((3, 2))]
    store.pull("a", out=out)
    assert out[0].asnumpy().sum() == 3 and out[1].asnumpy().sum() == 6
    store.pull("a", out=out[0], ignore_sparse=False)
    assert out[0].stype == "row_sparse" and out[0].asnumpy().sum() == 6


# --- blocks ------------------------------------------------------------------------------------------


class Sum(gluon.HybridBlock):
    """Adds what there is."""

    def hybrid_forward(self, F, a, b=None):
        return b if a is None else a if b is None else a + b


@pytest.mark.parametrize("hybridize", [False, True])
def test_arrays_and_symbols_are_not_mixed(hybridize):
    net = Sum()
    if hybridize:
        net.hybridize()
    for mixed in [
        (nd.ones((2,)), mx.sym.var("a")),
        (mx.sym.var("a"), nd.ones((2,))),
        (None, [nd.ones(1), mx.sym.var("a")]),
    ]:
        with pytest.raises(ValueError, match="we do not support mixed NDArrays and Symbols"):
            net(*mixed)


def test_what_is_none_at_the_end_can_be_left_out():
    x = nd.ones((2,))
    for first, second in [((x, None), (x,)), ((x,), (x, None))]:
        net = Sum()
        net.hybridize()
        assert net(*first).asnumpy().tolist() == net(*second).asnumpy().tolist() == [1, 1]
        with pytest.raises(ValueError, match="does not match the cached version"):
            net(x, x)


class Classic(gluon.HybridBlock):
    """Leaves the arrays of ``np``, with one of its outputs or with both."""

    def __init__(self, both):
        super().__init__()
        self.both = both

    def hybrid_forward(self, F, x):
        classic = x.as_nd_ndarray()
        return classic * 2, classic + 1 if self.both else x * 2


@pytest.mark.parametrize("hybridize", [False, True])
def test_outputs_of_the_other_kind(hybridize):
    net = Classic(both=True)
    if hybridize:
        net.hybridize()
    for _ in range(2):
        out = net(np.ones((2,)))
        assert [type(one) for one in out] == [nd.NDArray] * 2 and out[1].asnumpy().tolist() == [2, 2]
    with with_np(), pytest.raises(TypeError, match="output ndarrays/symbols must be of type"):
        net(np.ones((2,)))
    mixed = Classic(both=False)
    if hybridize:
        mixed.hybridize()
    with with_np(), pytest.raises(TypeError):
        mixed(np.ones((2,)))


def with_np():
    """Return a scope with the semantics of ``np``."""
    return mx.util.np_array(True)


# --- indices -----------------------------------------------------------------------------------------


def test_all_of_a_scalar():
    with mx.np_shape():
        x = nd.ones(())
        x[:] = 3
        assert x[:].shape == x[()].shape == () and x.asscalar() == 3
        with pytest.raises(IndexError, match=r"scalar tensor can only accept `\(\)` and `:` as index"):
            x[0] = 1
    with pytest.raises(IndexError, match=r"scalar tensor can only accept `\(\)` as index"):
        np.ones(())[:] = 1


def test_truth_values_among_indices_take_no_axis():
    x, mask = np.zeros((2, 2, 3)), np.array([[False, True, True], [False, True, False]], dtype=bool)
    x[1, True, True, mask] = 7
    x[False, 0] = 8
    assert x.asnumpy().tolist() == [[[0] * 3] * 2, [[0, 7, 7], [0, 7, 0]]]


@pytest.mark.parametrize("space", [nd, np])
def test_a_recorded_value_is_written_into_all_of_an_array_or_not_at_all(space):
    y = space.ones((3,))
    y.attach_grad()
    for whole in (slice(None), slice(0, 2), Ellipsis, (slice(None), slice(None))):
        x = space.zeros((2, 3))
        with autograd.record():
            x[whole] = y * 2
            z = x * x
        z.backward()
        assert y.grad.asnumpy().tolist() == [16, 16, 16]
    for part in (0, slice(0, 1), slice(None, None, 2), (slice(None), 0), [0, 1]):
        x = space.zeros((2, 3))
        value = space.ones(x[part].shape)
        value.attach_grad()
        with autograd.record(), pytest.raises(mx.MXNetError, match="Inplace operations"):
            x[part] = value
        assert not x.asnumpy().any()
        with autograd.record():
            x[part] = 5  # what was not recorded may be written anywhere


def test_memory_that_is_shared_twice_can_be_written_to():
    shared = numpy.zeros((2, 2), "float32")
    first, second = nd.from_numpy(shared), nd.from_numpy(shared)
    first[0, 0] = 1
    second[1, 1] = 2
    assert shared.tolist() == first.asnumpy().tolist() == [[1, 0], [0, 2]]
    with pytest.raises(ValueError, match="read-only"):
        shared[0, 0] = 3


def test_memory_behind_a_capsule_can_be_written_to():
    x = nd.array([[1, 2], [3, 4]])
    for capsule in (x.to_dlpack_for_write(), nd.to_dlpack_for_read(x)):
        y = nd.from_dlpack(capsule)
        y[0] += 10
        y[1, 0] = 7
    assert x.asnumpy().tolist() == y.asnumpy().tolist() == [[21, 22], [7, 4]]
    del x, capsule
    assert (y * 2).asnumpy().tolist() == [[42, 44], [14, 8]]


def test_an_array_that_may_not_be_written_to_says_so():
    locked = numpy.ones(2, "float32")
    locked.flags.writeable = False
    try:
        x = nd.from_dlpack(locked)
    except BufferError:
        pytest.skip("this NumPy gives no read-only array away")
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 3


# --- operators ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["max", "avg", "sum"])
def test_pooling_with_as_many_windows_as_steps(kind):
    x = nd.arange(1, 11).reshape((1, 1, 10))
    reduce = {"max": numpy.max, "avg": numpy.mean, "sum": numpy.sum}[kind]
    how = {"pool_type": kind, "pooling_convention": "same"}
    even = nd.Pooling(x, kernel=(2,), stride=(2,), pad=(0, 0, 0), **how)
    numpy.testing.assert_allclose(even.asnumpy()[0, 0], reduce(x.asnumpy().reshape(5, 2), axis=1))
    odd = nd.Pooling(x, kernel=(3,), stride=(4,), **how).asnumpy()[0, 0]
    numpy.testing.assert_allclose(odd, [reduce([1, 2, 3]), reduce([5, 6, 7]), reduce([9, 10])])
    symbol = mx.sym.Pooling(mx.sym.var("x"), kernel=(3,), stride=(4,), **how)
    assert symbol.infer_shape(x=(1, 1, 9))[1] == [(1, 1, 3)]
    with pytest.raises(mx.MXNetError, match="disables the use of pad"):
        nd.Pooling(x, kernel=(3,), stride=(2,), pad=(1,), **how)
    with pytest.raises(mx.MXNetError, match="'same' supports Max Pooling 1-D"):
        nd.Pooling(nd.ones((1, 1, 4, 4)), kernel=(2, 2), **how)


def test_batch_normalization_over_devices_returns_the_variance():
    x = nd.random.normal(3, 2, shape=(8, 3, 4))
    ones, zeros = nd.ones((3,)), nd.zeros((3,))
    mean, var = nd.zeros((3,)), nd.ones((3,))
    x.attach_grad()
    with autograd.record():
        y, found_mean, found_var = nd.contrib.SyncBatchNorm(
            x, ones, zeros, mean, var, key="k", output_mean_var=True, fix_gamma=False, momentum=0.5, eps=1e-3
        )
        loss = (y * y * y).sum()
    loss.backward()
    values = x.asnumpy()
    numpy.testing.assert_allclose(found_mean.asnumpy(), values.mean((0, 2)), rtol=1e-5)
    numpy.testing.assert_allclose(found_var.asnumpy(), values.var((0, 2)), rtol=1e-4)
    numpy.testing.assert_allclose(var.asnumpy(), 0.5 + 0.5 * values.var((0, 2)), rtol=1e-4)
    synced, mean, var = x.grad.asnumpy(), nd.zeros((3,)), nd.ones((3,))
    with autograd.record():
        y = nd.BatchNorm(x, ones, zeros, mean, var, fix_gamma=False, eps=1e-3)
        loss = (y * y * y).sum()
    loss.backward()
    numpy.testing.assert_allclose(synced, x.grad.asnumpy(), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("axis", [(0, 1), (1, 0), (2, 0), (1, 2)])
@pytest.mark.parametrize("order", ["inf", "-inf"])
def test_norms_by_rows_have_a_name_too(order, axis):
    x = np.array(numpy.random.default_rng(1).normal(size=(2, 3, 4)))
    expected = numpy.linalg.norm(x.asnumpy(), float(order), axis)
    numpy.testing.assert_allclose(np.linalg.norm(x, order, axis).asnumpy(), expected, rtol=1e-5)


def test_decompositions_of_nothing():
    for shape in [(0, 0), (3, 0, 0), (0, 2, 2)]:
        w, v = np.linalg.eigh(np.ones(shape))
        assert w.shape == shape[:-1] and v.shape == shape
        u, s, v = np.linalg.svd(np.ones(shape))
        assert u.shape == v.shape == shape and s.shape == shape[:-1]
    assert [a.shape for a in np.linalg.svd(np.ones((0, 2)))] == [(0, 0), (0,), (0, 2)]


class Call(gluon.HybridBlock):
    """Calls a function of ``F.np``."""

    def __init__(self, name, *arguments):
        super().__init__()
        self.name_of_function, self.arguments = name, arguments

    def hybrid_forward(self, F, x):
        return getattr(F.np, self.name_of_function)(x, *self.arguments)


@pytest.mark.parametrize("shape", [(2, 5), (3,), (), 8, (2, 0)])
def test_resize_in_a_graph(shape):
    x = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    net = Call("resize", shape)
    net.hybridize()
    x.attach_grad()
    with autograd.record():
        out = net(x)
    out.backward()
    assert out.asnumpy().tolist() == np.resize(x, shape).asnumpy().tolist() == numpy.resize(x.asnumpy(), shape).tolist()
    counts = numpy.bincount(numpy.arange(out.size) % 6, minlength=6) if out.size else numpy.zeros(6)
    assert x.grad.asnumpy().tolist() == counts.reshape(2, 3).tolist()
    assert not np.resize(np.ones((0,)), (2, 2)).asnumpy().any()


def test_unravel_index_of_numbers_arrays_and_symbols():
    positions = np.array([[22, 41], [37, 0]], dtype="int32")
    rows, columns = np.unravel_index(positions, (7, 6))
    assert rows.asnumpy().tolist() == [[3, 6], [6, 0]] and columns.asnumpy().tolist() == [[4, 5], [1, 0]]
    net = Call("unravel_index", (7, 6))
    net.hybridize()
    assert net(positions).asnumpy().tolist() == [rows.asnumpy().tolist(), columns.asnumpy().tolist()]
    assert np.unravel_index(1621, (6, 7, 8, 9)) == (3, 1, 4, 1)
    with pytest.raises(NotImplementedError, match="order"):
        np.unravel_index(positions, (7, 6), order="F")


@pytest.mark.parametrize("name", ["isnan", "isinf", "isfinite", "isposinf", "isneginf", "logical_not"])
def test_truth_values_are_written_into_truth_values(name):
    x, out = np.array([1.0, math.nan]), np.zeros((2,), dtype=bool)
    getattr(np, name)(x, out=out)
    assert out.asnumpy().tolist() == getattr(np, name)(x).asnumpy().tolist()
    with pytest.raises(TypeError, match="`out` parameter should be a boolean array"):
        getattr(np, name)(x, out=np.zeros((2,)))


def test_single_arrays_are_reset_and_no_axes_are_refused():
    x = nd.ones((3,))
    nd.reset_arrays(x, num_arrays=1)
    assert not x.asnumpy().any()
    with pytest.raises(mx.MXNetError, match="Empty axes tuple is not allowed"):
        nd.broadcast_like(nd.ones((1, 2)), nd.ones((3, 2)), lhs_axes=(), rhs_axes=())


@pytest.mark.parametrize(("mine", "other"), [((4, 1), (4, 3)), ((3,), (2, 3)), ((1, 5), (2, 4, 5)), ((1,), (2, 3))])
def test_an_array_is_stretched_to_one_of_more_axes(mine, other):
    x = nd.arange(math.prod(mine)).reshape(mine)
    x.attach_grad()
    with autograd.record():
        y = x.broadcast_like(nd.ones(other))
    y.backward()
    assert y.asnumpy().tolist() == numpy.broadcast_to(x.asnumpy(), other).tolist()
    assert x.grad.asnumpy().tolist() == numpy.full(mine, math.prod(other) // math.prod(mine)).tolist()


def test_an_array_is_not_stretched_where_axes_do_not_fit():
    with pytest.raises(ValueError, match=r"\(3,\) and requested shape \(3, 4\)"):
        nd.ones((3,)).broadcast_like(nd.ones((3, 4)))
    assert nd.ones((3, 1)).broadcast_like(nd.ones((7, 5)), lhs_axes=(1,), rhs_axes=(0,)).shape == (3, 7)
    with pytest.raises(mx.MXNetError, match=r"lhs_shape\.ndim"):  # the operator, and symbols, want as many
        nd.broadcast_like(nd.ones((3,)), nd.ones((2, 3)))


@pytest.mark.parametrize("dtype", ["float32", "uint8"])
@pytest.mark.parametrize("shape", [(4, 5, 3), (2, 4, 5, 3)])
def test_the_gradient_of_a_cropped_image_goes_where_it_was(shape, dtype):
    x = nd.ones(shape, dtype=dtype)
    x.attach_grad()
    with autograd.record():
        y = nd.image.crop(x, x=1, y=2, width=3, height=2)
    y.backward(nd.ones(y.shape, dtype=dtype) * 7)
    expected = numpy.zeros(shape, dtype)
    expected[..., 2:4, 1:4, :] = 7
    assert x.grad.asnumpy().tolist() == expected.tolist()


@pytest.mark.parametrize("rows_", [3, 400, 5000])
def test_sums_over_many_rows_are_exact(rows_):
    random = numpy.random.default_rng(0)
    x, heads = (nd.array(random.normal(size=(rows_, 8))) for _ in range(2))
    gamma, beta = nd.ones((8,)), nd.zeros((8,))
    gamma.attach_grad()
    beta.attach_grad()
    with autograd.record():
        y = nd.LayerNorm(x, gamma, beta, eps=1e-3)
    y.backward(heads)
    wide = heads.asnumpy().astype("float64")
    numpy.testing.assert_allclose(gamma.grad.asnumpy(), (wide * y.asnumpy()).sum(0), rtol=1e-5, atol=4e-5)
    numpy.testing.assert_allclose(beta.grad.asnumpy(), wide.sum(0), rtol=1e-5, atol=4e-5)


def test_images_without_a_size_are_refused():
    for function in (nd.depth_to_space, nd.space_to_depth):
        with pytest.raises(mx.MXNetError, match="Size of dimension:2 cannot be 0"):
            function(nd.array(numpy.zeros((1, 4, 0, 4))), 2)


# --- symbols and modules -------------------------------------------------------------------------------


def test_slopes_that_are_learned_begin_as_mxnets():
    slopes = mx.sym.LeakyReLU(mx.sym.var("x"), act_type="prelu", name="act")
    assert slopes.attr_dict()["act_gamma"]["__init__"] == '["Constant", {"value": 0.25}]'
    assert "act_gamma" not in mx.sym.LeakyReLU(mx.sym.var("x"), act_type="leaky", name="act").attr_dict()
    module = mx.mod.Module(slopes, data_names=["x"], label_names=None)
    module.bind(data_shapes=[("x", (2, 3))])
    module.init_params()
    assert module.get_params()[0]["act_gamma"].asnumpy().tolist() == [0.25] * 3


def test_parameters_of_a_module_are_stored_as_their_variables_say():
    weight = mx.sym.var("w", shape=(3, 1), init=mx.init.One(), stype="row_sparse")
    module = mx.mod.Module(mx.sym.dot(mx.sym.var("x", stype="csr"), weight), data_names=["x"], label_names=None)
    module.bind(data_shapes=[("x", (2, 3))])
    module.init_params()
    kept = module.get_params()[0]["w"]
    assert kept.stype == "row_sparse" and kept.asnumpy().tolist() == [[1]] * 3


def test_a_file_of_before_np_shape_is_read_under_it():
    weight = mx.sym.var("w", shape=(3, 0))
    net = mx.sym.FullyConnected(mx.sym.var("x"), weight, num_hidden=3, name="fc")
    text = net.tojson()
    with mx.np_shape():
        arguments, outputs, _ = mx.sym.load_json(text).infer_shape(x=(2, 5))
        assert arguments == [(2, 5), (3, 5), (3,)] and outputs == [(2, 3)]
        empty = mx.sym.FullyConnected(mx.sym.var("x"), weight, num_hidden=3, name="fc").tojson()
        with pytest.raises(mx.MXNetError, match="Shape inconsistent"):
            mx.sym.load_json(empty).infer_shape(x=(2, 5))


def test_batches_of_csr_matrices():
    csr = nd.array(numpy.arange(12).reshape(4, 3)).tostype("csr")
    for data in (csr, [csr], {"x": csr}):
        with pytest.raises(NotImplementedError, match="`last_batch_handle` set to `discard`"):
            mx.io.NDArrayIter(data, batch_size=3)
        [batch] = mx.io.NDArrayIter(data, batch_size=3, last_batch_handle="discard")
        assert batch.data[0].asnumpy().tolist() == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]


def test_a_range_is_as_long_as_its_neighbours_need():
    for repeat, expected in [(1, [2, 5, 8, 11]), (2, [2, 2, 5, 5])]:
        numbers = mx.sym.arange(2, stop=None, step=3, repeat=repeat, infer_range=True) + mx.sym.var("x")
        executor = numbers.bind(mx.cpu(), {"x": nd.zeros((4,))})
        assert executor.forward()[0].asnumpy().tolist() == expected


# --- files ---------------------------------------------------------------------------------------------


class Chain(nn.Block):
    """Names its children after themselves."""

    def add(self, block):
        self._children[f"{block.name}{len(self._children)}"] = block

    def forward(self, x):
        for child in self._children.values():
            x = child(x)
        return x


def chain(hidden=3):
    inside, net = Chain(), Chain()
    inside.add(nn.Dense(hidden))
    for block in (inside, nn.Dense(2)):
        net.add(block)
    net.initialize()
    net.hybridize()
    return net


def test_children_that_are_named_after_themselves_are_found_again(tmp_path):
    first, second, other = chain(), chain(), chain(hidden=4)
    x = nd.ones((1, 5))
    expected = first(x)
    first.save(str(tmp_path / "net"))
    second.load(str(tmp_path / "net"))
    assert list(second._children) == list(first._children)
    assert second(x).asnumpy().tolist() == expected.asnumpy().tolist()
    other(x)
    names, before = list(other._children), other(x).asnumpy().tolist()
    with pytest.raises(AssertionError, match="shape"):
        other.load(str(tmp_path / "net"))
    assert list(other._children) == names and other(x).asnumpy().tolist() == before


def test_what_a_pickle_of_mxnets_holds():
    values = b"\x00\x00\x80?\x00\x00\x00@"
    header = (0xF993FAC9, 0, 1, 2)  # V2, dense, one axis of two
    for device in (1, 2):
        state = numpy.array(header[:3], "<u4").tobytes() + numpy.int64(2).tobytes()
        state += numpy.array([device, 0, 0], "<i4").tobytes() + values
        x = nd.NDArray(None)
        x.__setstate__({"handle": bytearray(state)})
        assert x.asnumpy().tolist() == [1, 2] and (x.ctx == mx.cpu() or mx.context.num_gpus())
    with pytest.raises(mx.MXNetError):
        x.__setstate__({"handle": bytearray(state[:-1])})


@pytest.mark.parametrize("count", [1, 2])
def test_a_sparse_parameter_on_several_devices(count):
    contexts = [mx.cpu(i) for i in range(count)]
    parameter = gluon.Parameter("w", shape=(4, 2), stype="row_sparse", grad_stype="row_sparse")
    parameter.initialize(mx.init.One(), ctx=contexts)
    trainer = gluon.Trainer({"w": parameter}, "sgd", {"learning_rate": 1})
    with autograd.record():
        losses = []
        for i, ctx in enumerate(contexts):
            looked_up = nd.array([i, 2], ctx=ctx)
            losses.append(nd.Embedding(looked_up, parameter.row_sparse_data(looked_up), 4, 2, sparse_grad=True).sum())
    autograd.backward(losses)
    trainer.step(1)
    expected = numpy.ones((4, 2))
    expected[2] -= count
    expected[:count] -= 1
    for ctx in contexts:
        assert parameter.row_sparse_data(nd.arange(4, ctx=ctx)).asnumpy().tolist() == expected.tolist()


# --- random numbers ------------------------------------------------------------------------------------


def test_langevin_draws_its_noise_as_a_program_would():
    for dtype in ("float32", "float64"):
        optimizer, weight = mx.optimizer.SGLD(learning_rate=0.25), nd.ones((3, 4), dtype=dtype)
        mx.random.seed(7)
        optimizer.update(0, weight, nd.zeros((3, 4), dtype=dtype), None)
        mx.random.seed(7)
        noise = mx.random.normal(0, 0.5, shape=(3, 4), dtype=dtype)
        numpy.testing.assert_allclose(weight.asnumpy(), 1 + noise.asnumpy(), rtol=1e-6)


def test_the_gradient_of_a_call_in_prediction_is_that_of_what_it_drew():
    executor = mx.sym.Dropout(mx.sym.var("x"), p=0.5, mode="always").simple_bind(mx.cpu(), x=(10, 10))
    executor.arg_dict["x"][:] = 1
    for _ in range(2):
        executor.forward(is_train=False)
        drawn = executor.outputs[0].asnumpy()
        executor.backward([nd.ones((10, 10))], is_train=False)
        assert 0 < (drawn == 0).sum() < 100 and executor.grad_dict["x"].asnumpy().tolist() == drawn.tolist()


# --- layers of before version 1.0 --------------------------------------------------------------


@pytest.mark.parametrize("fix_gamma", [True, False])
@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("use_global_stats", [True, False])
def test_old_batch_normalization_differs_in_what_it_returns_besides(fix_gamma, training, use_global_stats):
    rng = numpy.random.default_rng(0)
    given = rng.normal(size=(4, 3, 2, 2)), rng.uniform(1, 2, 3), rng.normal(size=3), rng.normal(size=3)
    heads = nd.array(rng.normal(size=(4, 3, 2, 2)))
    settings = {"eps": 0.1, "momentum": 0.7, "fix_gamma": fix_gamma, "use_global_stats": use_global_stats}
    found = []
    for operator in (nd.BatchNorm_v1, nd.BatchNorm):
        arrays = [nd.array(a) for a in (*given, [1.0, 2.0, 3.0])]
        for array in arrays[:3]:
            array.attach_grad()
        with autograd.record(train_mode=training):
            statistics = dict(zip(("moving_mean", "moving_var"), arrays[3:], strict=True))
            y, mean, var = operator(*arrays[:3], **statistics, output_mean_var=True, **settings)
        y.backward(heads, train_mode=training)
        if operator is nd.BatchNorm:
            var = 1 / (var * var) - 0.1
        found.append([*arrays, *(a.grad for a in arrays[:3]), y, mean, var])
    for ours, other in zip(*found, strict=True):
        numpy.testing.assert_allclose(ours.asnumpy(), other.asnumpy(), rtol=1e-4, atol=1e-5)


def test_old_batch_normalization_in_a_graph_has_mxnets_names():
    net = mx.sym.BatchNorm_v1(mx.sym.var("x"), name="bn", output_mean_var=True)
    assert net.list_outputs() == ["bn_output", "bn_mean", "bn_var"]
    assert net.list_auxiliary_states() == ["bn_moving_mean", "bn_moving_var"]
    assert mx.sym.load_json(net.tojson()).tojson() == net.tojson()


# --- gradients of gradients that are zero -------------------------------------------------------


@pytest.mark.parametrize("name", ["floor", "round", "zeros_like", "BlockGrad", "logical_not", "radians", "degrees"])
def test_the_gradient_of_a_gradient_that_depends_on_nothing_is_zero(name):
    x = nd.array([0.2, 1.6])
    x.attach_grad()
    with autograd.record():
        (first,) = autograd.grad(getattr(nd, name)(x), x, head_grads=nd.ones(2), create_graph=True)
        (second,) = autograd.grad(first, x, create_graph=True)
        (third,) = autograd.grad(second, x, create_graph=True)
    slope = {"radians": numpy.pi / 180, "degrees": 180 / numpy.pi}.get(name, 0)
    numpy.testing.assert_allclose(first.asnumpy(), [slope] * 2, rtol=1e-6)
    for gradient in (second, third):
        numpy.testing.assert_array_equal(gradient.asnumpy(), [0, 0])


class Formula(mx.gluon.HybridBlock):
    """A net that is a formula of its inputs."""

    def __init__(self, formula):
        super().__init__()
        self.formula = formula

    def hybrid_forward(self, F, x, *others):
        return self.formula(F, x, *others)


@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybridized"])
@pytest.mark.parametrize(
    ("formula", "orders", "expected"),
    [
        (lambda F, x, y: x * 3 + y, "x", 3),
        (lambda F, x, y: x * x + y, "xx", 2),
        (lambda F, x, y: F.broadcast_mul(x, x) + y, "xx", 2),
        (lambda F, x, y: x * y, "xy", 1),
        (lambda F, x, y: F.square(x) * y, "xyx", 2),
    ],
    ids=["3x", "xx", "broadcast xx", "xy", "xxy"],
)
def test_a_constant_gradient_depends_on_no_array_of_which_it_only_has_the_shape(formula, orders, expected, hybridize):
    net, variables = Formula(formula), {"x": nd.array([1.5, 2]), "y": nd.array([4.0, 3])}
    if hybridize:
        net.hybridize()
    for variable in variables.values():
        variable.attach_grad()
    with autograd.record():
        value = net(variables["x"], variables["y"])
        for order in orders:
            (value,) = autograd.grad(value, variables[order], create_graph=True)
    assert value.asnumpy().tolist() == [expected] * 2
    with pytest.raises(mx.MXNetError, match="Cannot differentiate node"):
        value.backward()


# --- gradients of images ------------------------------------------------------------------------


def gradient_of_image(change):
    x = nd.arange(24).reshape((4, 2, 3)) / 24
    x.attach_grad()
    with autograd.record():
        y = change(x)
        loss = (y * nd.arange(y.size).reshape(y.shape)).sum()
    loss.backward()
    return x.grad.asnumpy()


@pytest.mark.parametrize(
    ("change", "axis"), [(nd.image.flip_left_right, 1), (nd.image.flip_top_bottom, 0)], ids=["left right", "top bottom"]
)
def test_the_gradient_of_a_mirrored_image_is_mirrored(change, axis):
    expected = numpy.flip(numpy.arange(24.0).reshape(4, 2, 3), axis)
    numpy.testing.assert_array_equal(gradient_of_image(change), expected)  # MXNet's is not mirrored


@pytest.mark.parametrize(
    "change", [lambda x: nd.image.adjust_lighting(x, alpha=(0.1, 0.2, 0.3)), nd.image.random_lighting]
)
def test_the_gradient_of_light_that_is_added_is_passed_on(change):
    numpy.testing.assert_array_equal(gradient_of_image(change), numpy.arange(24.0).reshape(4, 2, 3))


@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybridized"])
@pytest.mark.parametrize("shape", [(4, 2, 3), (2, 2, 2, 3)], ids=["image", "batch"])
def test_the_gradient_of_a_tensor_reaches_the_pixels(shape, hybridize):
    net = Formula(lambda F, x: F.image.to_tensor(x))
    if hybridize:
        net.hybridize()
    image = nd.arange(24).reshape(shape)
    image.attach_grad()
    with autograd.record():
        tensor = net(image)
    head = numpy.arange(24.0).reshape(tensor.shape)
    tensor.backward(nd.array(head))
    numpy.testing.assert_allclose(image.grad.asnumpy(), numpy.moveaxis(head, -3, -1) / 255, rtol=1e-6)


@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybridized"])
@pytest.mark.parametrize(
    "change",
    [
        lambda F, x: F.image.resize(x, size=(2, 3)),  # MXNet says that the shapes do not fit
        lambda F, x: F.image.random_flip_left_right(x),  # the others pass the gradient on in MXNet
        lambda F, x: F.image.random_brightness(x, 0.5, 1.5),
        lambda F, x: F.image.random_hue(x, 0.5, 1.5),
        lambda F, x: F.image.random_color_jitter(x, 0.1, 0.1, 0.1, 0.1),
    ],
    ids=["resize", "flip", "brightness", "hue", "jitter"],
)
def test_what_has_no_gradient_of_an_image_says_so(change, hybridize):
    net = Formula(change)
    if hybridize:
        net.hybridize()
    with pytest.raises(mx.MXNetError, match="non-differentiable because it didn't register FGradient"):
        gradient_of_image(lambda x: net(x))


# --- arrays that are repeated no times ----------------------------------------------------------


def test_tiles_of_nothing_need_the_shapes_of_numpy():
    x = nd.ones((2, 3))
    with pytest.raises(mx.MXNetError, match="Operator tile inferring shapes failed"):
        nd.tile(x, (1, 0, 3))
    assert mx.sym.tile(mx.sym.var("x"), (1, 0, 3)).infer_shape_partial(x=(2, 3))[1] == [(1, 0, 9)]
    with mx.util.np_shape():
        assert nd.tile(x, (1, 0, 3)).shape == (1, 0, 9)
        assert mx.sym.tile(mx.sym.var("x"), (1, 0, 3)).infer_shape(x=(2, 3))[1] == [(1, 0, 9)]
        assert mx.np.tile(mx.np.ones((2, 3)), 0).shape == (2, 0)
    with pytest.raises(mx.MXNetError, match="Operator tile inferring shapes failed"):
        mx.np.tile(mx.np.ones((2, 3)), 0)


def test_functions_are_where_programs_look_for_them():
    # GluonCV's detectors ask so for the operators of MXNet 1.6, and choose between two ways to compute the same.
    program = (
        "import d2lhybrid; d2lhybrid.as_mxnet()\n"
        "import mxnet\n"
        "for F in (mxnet.nd, mxnet.sym):\n"
        "    for part in (F.contrib, F.linalg, F.image):\n"
        "        assert not set(dir(part)) - set(part.__dict__), part\n"
        "    assert 'box_encode' in F.contrib.__dict__\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
