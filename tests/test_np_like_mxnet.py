"""Corners of ``np`` and of executors in which MXNet's own unit tests found us different."""

from __future__ import annotations

import math

import numpy
import pytest

from d2lhybrid import AttrScope, Context, autograd, cpu, gluon, nd, np, npx, optimizer, sym
from d2lhybrid.error import MXNetError
from d2lhybrid.name import NameManager
from d2lhybrid.util import use_np


@use_np
def test_a_scalar_counts_as_a_vector_of_one() -> None:
    x = np.ones(())
    assert np.squeeze(x, 0).shape == np.squeeze(x, -1).shape == ()
    assert np.argmax(x, 0).item() == np.argmin(x, -1).item() == 0
    for refused in (lambda: np.squeeze(x, 1), lambda: np.argmax(x, 1)):
        with pytest.raises(MXNetError):
            refused()


@use_np
def test_what_is_empty_along_another_axis_has_extremes_and_pieces() -> None:
    assert np.argmin(np.ones((0, 3)), 1).shape == (0,)
    with pytest.raises(MXNetError):
        np.argmin(np.ones((0, 3)), 0)
    assert [piece.shape for piece in np.split(np.ones((0, 4)), [1, 3])] == [(0, 4)] * 3


@use_np
def test_a_constant_padding_of_a_symbol_uses_up_two_names() -> None:
    x = sym.var("x").as_np_ndarray()
    with NameManager():
        modes = ("constant", "edge", "constant", "maximum")
        names = [sym.np.pad(x, ((1, 0), (0, 1)), mode=mode).name for mode in modes]
    assert names == ["pad1", "pad2", "pad4", "pad5"]  # MXNet's


def test_a_negative_size_of_a_broadcast_is_unknown() -> None:
    wide = sym.broadcast_to(sym.var("x"), shape=(-1, 3))
    with pytest.warns(UserWarning, match="Cannot decide shape"):
        assert wide.infer_shape(x=(1, 3)) == (None, None, None)
    assert sym.broadcast_to(sym.var("x"), shape=(0, 3)).infer_shape(x=(1, 1))[1] == [(1, 3)]


@use_np
def test_a_size_of_minus_two_is_kept() -> None:
    assert np.broadcast_to(np.ones(5), (3, 4, -2)).shape == (3, 4, 5)
    x = sym.var("x", shape=(5,)).as_np_ndarray()
    assert sym.np.broadcast_to(x, (3, -2)).infer_shape()[1] == [(3, 5)]


@use_np
def test_sums_are_taken_before_digits_go() -> None:
    values = numpy.random.default_rng(0).uniform(-1, 1, 50).astype(numpy.float32)
    assert np.sum(np.array(values), dtype="float16").item() == values.sum().astype(numpy.float16)
    assert np.mean(np.array([-7, 2], dtype="int32"), dtype="int32").item() == -2  # towards zero
    x = np.ones(3)
    x.attach_grad()
    with autograd.record():
        y = x.mean(dtype="float16")
    y.backward()
    assert (x.grad.asnumpy() == numpy.float32(1) / 3).all()


@use_np
def test_insert_by_a_slice_of_one_and_delete_by_negative_positions() -> None:
    a = np.arange(6).reshape(3, 2)
    assert np.insert(a, slice(0, 1), np.ones((3, 1)), axis=1).shape == (3, 3)
    assert np.insert(a, slice(0, 1), np.ones((1, 2)), axis=0).shape == (4, 2)
    assert np.delete(a, np.array([-1], dtype="int64"), axis=0).shape == (3, 2)  # MXNet leaves them out
    assert np.delete(a, -1, axis=0).shape == (2, 2)


@use_np
def test_impossible_parameters_are_value_errors_in_arrays_too() -> None:
    below = np.array([-1.0])
    for draw in (
        lambda: np.random.gamma(below, 1),
        lambda: np.random.normal(0, below),
        lambda: np.random.weibull(below),
    ):
        with pytest.raises(ValueError, match=r"scale|shape|expect a"):
            draw()
    npx.random.seed(seed=3)
    mean, covariance = np.zeros((5, 1, 2)), np.ones((3, 2, 2)) * np.eye(2)
    assert np.random.multivariate_normal(mean, covariance, (2,)).shape == (2, 5, 3, 2)


@use_np
def test_keywords_that_numpy_does_not_know_are_type_errors() -> None:
    with pytest.raises(TypeError):
        np.add(np.ones(2), 1, dtype="abc")
    with pytest.raises(NotImplementedError):
        np.add(np.ones(2), 1, dtype="float16")
    with pytest.raises(ValueError, match="Repeated axis"):
        np.ones((3, 4, 5)).transpose((0, 0, 1))


@use_np
def test_an_axis_that_einsum_stretched_gets_one_gradient() -> None:
    a, b = np.ones((1, 4)), np.arange(8).reshape(2, 4)
    a.attach_grad()
    with autograd.record():
        y = np.einsum("ij,ij->i", a, b)
    y.backward()
    assert a.grad.tolist() == [[4, 6, 8, 10]]


def test_remainders_of_integers_have_no_gradient() -> None:
    for make in (nd.array, np.array):
        a, b = make([7, 8], dtype="int32"), make([3, 3], dtype="int32")
        a.attach_grad()
        with autograd.record():
            y = a % b + a % 5
        y.backward()
        assert a.grad.asnumpy().tolist() == [0, 0]


def test_an_argument_without_a_gradient_gets_zeros() -> None:
    x, gradient = nd.ones((2, 3)), nd.full((2, 3), 7)
    executor = sym.shape_array(sym.var("x")).bind(cpu(), args=[x], args_grad=[gradient])
    executor.forward(is_train=True)
    executor.backward([nd.ones(2)])
    assert not gradient.asnumpy().any()


def test_a_head_of_another_type_is_cast() -> None:
    executor = sym.batch_dot(sym.var("a", dtype="float64"), sym.var("b", dtype="float64")).simple_bind(
        cpu(), a=(1, 2, 2), b=(1, 2, 2)
    )
    executor.forward(is_train=True)
    executor.backward([nd.ones((1, 2, 2))])
    assert executor.grad_dict["a"].dtype == numpy.float64


def test_upper_factors() -> None:
    a = nd.array([[4.0, 2], [2, 5]])
    for lower in (True, False):
        a.attach_grad()
        with autograd.record():
            factor = nd.linalg.potrf(a, lower=lower)
            inverse = nd.linalg.potri(factor, lower=lower)
        inverse.backward(nd.array([[1.0, 2], [3, 4]]))
        expected = numpy.linalg.inv(a.asnumpy())
        assert numpy.allclose(inverse.asnumpy(), expected)
        assert numpy.allclose(factor.asnumpy(), numpy.linalg.cholesky(a.asnumpy()).T if not lower else factor.asnumpy())
        heads = numpy.array([[1, 2.5], [2.5, 4]])
        assert numpy.allclose(a.grad.asnumpy(), -expected @ heads @ expected, atol=1e-5)


def test_numbers_wrap_around_in_small_integers() -> None:
    assert nd.arange(0, -3, -1, dtype="uint8").asnumpy().tolist() == [0, 255, 254]


def test_positions_outside_are_index_errors() -> None:
    with pytest.raises(IndexError, match="index 3 is out of bounds"):
        nd.gather_nd(nd.ones((2, 2)), nd.array([[0, 3], [0, 1]]))


def test_behind_the_end_of_a_sequence_anything_may_stand() -> None:
    data = numpy.zeros((4, 1, 3), numpy.float32)
    data[3:] = math.nan
    x = nd.array(data)
    x.attach_grad()
    with autograd.record():
        loss = nd.ctc_loss(x, nd.array([[1, 2]]), nd.array([3]), use_data_lengths=True)
    loss.backward()
    assert numpy.isfinite(x.grad.asnumpy()).all()
    assert not x.grad.asnumpy()[3].any()


def test_a_null_gradient_goes_with_the_graph() -> None:
    a, b = nd.ones(2), nd.ones(2)
    a.attach_grad("null")
    b.attach_grad()
    with autograd.record():
        y = a * b
    y.backward()
    assert a.grad is None
    assert b.grad.asnumpy().tolist() == [1, 1]


def test_numpy_takes_the_values_of_arrays_outside_of_a_recording() -> None:
    a = nd.array([1.0, 2.0])
    assert numpy.all(a == nd.array([1.0, 2.0]))
    assert numpy.isnan(a).tolist() == [False, False]
    a.attach_grad()
    with autograd.record(), pytest.raises(TypeError, match="does not accept an NDArray that autograd records"):
        numpy.exp(a)


def test_who_shares_memory_with_numpy_alone_may_write_to_it() -> None:
    values = numpy.zeros((2, 2), numpy.float32)
    shared = nd.from_numpy(values)
    with pytest.raises(ValueError, match="read-only"):
        values[0, 0] = 1
    shared[0, 0] = 2
    assert values[0, 0] == 2


def test_what_belongs_to_a_thread_can_be_set() -> None:
    before = Context.default_ctx
    assert before == cpu()
    try:
        Context.default_ctx = cpu(3)
        assert nd.ones(1).context == cpu(3)
    finally:
        Context.default_ctx = before
    AttrScope.current = AttrScope(mood="fine")
    try:
        assert AttrScope.current._attr == {"mood": "fine"}
        assert sym.var("x").attr("mood") == "fine"
    finally:
        AttrScope.current = AttrScope()
    names = NameManager.current
    NameManager.current = NameManager()
    try:
        assert sym.relu(sym.var("x")).name == "relu0"
    finally:
        NameManager.current = names


def test_rows_without_a_gradient_keep_their_values_in_a_lazy_update() -> None:
    gradient = numpy.ones((4, 2), numpy.float32)
    gradient[1] = 0
    for name in ("sgd", "adam"):
        settings = {"momentum": 0.9} if name == "sgd" else {}
        lazy, plain = (nd.ones((4, 2)) for _ in range(2))
        update_lazily = optimizer.get_updater(optimizer.create(name, wd=0.1, **settings))
        update = optimizer.get_updater(optimizer.create(name, wd=0.1, **settings))
        for step in range(2):
            now = nd.array(gradient if step else numpy.ones((4, 2)))
            update_lazily(0, now.tostype("row_sparse"), lazy)
            update(0, now, plain)
            if not step:
                kept = lazy.asnumpy()[1]
        assert (lazy.asnumpy()[1] == kept).all()
        assert (plain.asnumpy()[1] != kept).all()
        assert (lazy.asnumpy()[[0, 2, 3]] == plain.asnumpy()[[0, 2, 3]]).all()


def test_a_trainer_updates_the_looked_up_rows_of_a_sparse_embedding() -> None:
    layer = gluon.nn.Embedding(5, 2, sparse_grad=True)
    layer.initialize()
    trainer = gluon.Trainer(layer.collect_params(), "adam")
    for words in ([0, 1], [1, 2]):
        with autograd.record():
            loss = layer(nd.array(words)).sum()
        loss.backward()
        before = layer.weight.data().asnumpy()
        trainer.step(1)
        changed = (layer.weight.data().asnumpy() != before).any(axis=1)
        assert numpy.flatnonzero(changed).tolist() == words


def test_old_files_have_whole_names(tmp_path) -> None:
    net = gluon.nn.HybridSequential(prefix="")
    with net.name_scope():
        net.add(gluon.nn.Dense(1, in_units=2))
    net.initialize()
    with pytest.warns(UserWarning, match="deprecated"):
        net.save_params(str(tmp_path / "old.params"))
    assert sorted(nd.load(str(tmp_path / "old.params"))) == sorted(net.collect_params().keys())


def test_a_picture_of_no_height_is_refused() -> None:
    with pytest.raises(MXNetError, match="height and width must be greater than 0"):
        nd.image.crop(nd.ones((30, 40, 3)), x=0, y=0, width=-10, height=-5)


def test_sparse_arrays_are_operands() -> None:
    dense = nd.array([[1.0, 2], [3, 4]])
    for stype in ("row_sparse", "csr"):
        sparse = nd.array([[0.0, 5], [0, 0]]).tostype(stype)
        for total in (dense + sparse, sparse + dense, sparse + sparse + dense - sparse):
            assert total.asnumpy().tolist() == [[1, 7], [3, 4]]
        dense.attach_grad()
        sparse.attach_grad()
        with autograd.record():
            y = dense * sparse
        y.backward()
        assert dense.grad.asnumpy().tolist() == [[0, 5], [0, 0]]
        assert sparse.grad.asnumpy().tolist() == [[1, 2], [3, 4]]


@use_np
@pytest.mark.parametrize("hybridized", [False, True])
def test_a_truth_value_is_compared_with_a_number_as_it_is(hybridized) -> None:
    class Net(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return [x < 0.3, x >= 0.3, x == 0.5, x > 0.3, x < 1]

    net = Net()
    if hybridized:
        net.hybridize()
    found = [y.asnumpy().tolist() for y in net(np.array([0, 1], dtype="bool"))]
    assert found == [[True, False], [False, True], [False, False], [False, True], [True, False]]


@use_np
@pytest.mark.parametrize("hybridized", [False, True])
def test_pieces_of_unequal_width(hybridized) -> None:
    class Net(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return [x[-2], *F.np.hsplit(x, 2)]

    net = Net()
    if hybridized:
        net.hybridize()
    first, left, right = net(np.arange(6).reshape(2, 3))
    assert first.asnumpy().tolist() == [0, 1, 2]
    assert left.asnumpy().tolist() == [[0, 1], [3, 4]] and right.asnumpy().tolist() == [[2], [5]]
    assert [piece.shape for piece in np.hsplit(np.arange(5), 2)] == [(3,), (2,)]


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64"])
def test_integers_that_are_normalised_stay_integers(dtype) -> None:
    x = nd.array([[1, 2, 3], [4, 5, 7]], dtype=dtype)
    y = nd.contrib.div_sqrt_dim(x)  # by the whole part of the root of 3
    assert y.dtype is x.dtype and y.asnumpy().tolist() == x.asnumpy().tolist()
    assert nd.contrib.div_sqrt_dim(nd.array([[9] * 7], dtype=dtype)).asnumpy().tolist() == [[4] * 7]
    y = nd.image.normalize(nd.array([[[0, 3, 6, 9]]], dtype=dtype), mean=1, std=2)
    assert y.dtype is x.dtype and y.asnumpy().tolist() == [[[0, 1, 2, 4]]]


def test_sampling_between_elements_is_for_floating_point_numbers() -> None:
    image, loc = nd.ones((1, 1, 4, 4), dtype="int32"), nd.ones((1, 6), dtype="int32")
    for sample in (
        lambda: nd.BilinearSampler(image, nd.ones((1, 2, 2, 2), dtype="int32")),
        lambda: nd.SpatialTransformer(image, loc, (2, 2), transform_type="affine", sampler_type="bilinear"),
        lambda: nd.GridGenerator(loc, transform_type="affine", target_shape=(2, 2)),
        lambda: nd.contrib.BilinearResize2D(image, height=3, width=3),
        lambda: nd.contrib.AdaptiveAvgPooling2D(image, output_size=2),
    ):
        with pytest.raises(MXNetError, match="only support floating point types, not int32"):
            sample()


def test_the_khatri_rao_product_is_one_of_matrices() -> None:
    x = nd.ones((2, 6, 5))
    with pytest.raises(MXNetError, match=r"khatri_rao requires matrices, not an array of shape \[2,6,5\]"):
        nd.khatri_rao(x, x)
    net = gluon.nn.HybridLambda(lambda F, x: F.khatri_rao(x, x))
    net.hybridize()
    with pytest.raises(MXNetError, match="khatri_rao requires matrices"):
        net(x)
