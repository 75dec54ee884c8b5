"""Attention on interleaved projections is attention; steps by functions are the optimizers' steps."""

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, nd
from d2lhybrid.gluon import nn

LENGTH, OTHER, BATCH, HEADS, SIZE = 5, 4, 2, 3, 4


def attend(queries, keys, values):
    """Return scores and mixtures of arrays (length, batch, heads, size), in words of NumPy."""
    scores = numpy.einsum("qbhd,kbhd->bhqk", queries, keys) / numpy.sqrt(SIZE)
    return scores.reshape(BATCH * HEADS, *scores.shape[2:]), values


def mix(attention, values):
    weights = attention.reshape(BATCH, HEADS, *attention.shape[1:])
    return numpy.einsum("bhqk,kbhd->qbhd", weights, values).reshape(attention.shape[1], BATCH, HEADS * SIZE)


def test_a_sequence_with_itself():
    data = numpy.random.default_rng(1).normal(size=(LENGTH, BATCH, HEADS, 3, SIZE)).astype("float32")
    projected = nd.array(data.reshape(LENGTH, BATCH, -1))
    scores = nd.contrib.interleaved_matmul_selfatt_qk(projected, heads=HEADS)
    expected, values = attend(data[..., 0, :], data[..., 1, :], data[..., 2, :])
    numpy.testing.assert_allclose(scores.asnumpy(), expected, rtol=1e-5, atol=1e-6)
    weights = nd.softmax(scores)
    mixed = nd.contrib.interleaved_matmul_selfatt_valatt(projected, weights, heads=HEADS)
    numpy.testing.assert_allclose(mixed.asnumpy(), mix(weights.asnumpy(), values), rtol=1e-5, atol=1e-6)


def test_a_sequence_with_another():
    rng = numpy.random.default_rng(2)
    own = rng.normal(size=(LENGTH, BATCH, HEADS, SIZE)).astype("float32")
    other = rng.normal(size=(OTHER, BATCH, HEADS, 2, SIZE)).astype("float32")
    queries, keys_values = nd.array(own.reshape(LENGTH, BATCH, -1)), nd.array(other.reshape(OTHER, BATCH, -1))
    scores = nd.contrib.interleaved_matmul_encdec_qk(queries, keys_values, heads=HEADS)
    expected, values = attend(own, other[..., 0, :], other[..., 1, :])
    numpy.testing.assert_allclose(scores.asnumpy(), expected, rtol=1e-5, atol=1e-6)
    mixed = nd.contrib.interleaved_matmul_encdec_valatt(keys_values, scores, heads=HEADS)
    numpy.testing.assert_allclose(mixed.asnumpy(), mix(expected, values), rtol=1e-5, atol=1e-5)


class Cell(mx.gluon.HybridBlock):
    """The self-attention of BERT."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.project = nn.Dense(HEADS * 3 * SIZE, flatten=False, in_units=6)

    def hybrid_forward(self, F, x, mask):
        projected = self.project(x)
        scores = F.contrib.interleaved_matmul_selfatt_qk(projected, heads=HEADS) + mask
        return F.contrib.interleaved_matmul_selfatt_valatt(projected, F.softmax(scores), heads=HEADS)


def test_a_cell_of_bert_learns_the_same_hybridized():
    found = []
    for hybridized in (False, True):
        mx.random.seed(1)
        cell = Cell()
        cell.initialize()
        cell.hybridize(hybridized)
        x = nd.random.normal(shape=(LENGTH, BATCH, 6))
        mask = nd.random.normal(shape=(BATCH * HEADS, LENGTH, LENGTH))
        x.attach_grad()
        with autograd.record():
            loss = (cell(x, mask) ** 2).sum()
        loss.backward()
        found.append([loss.asnumpy(), x.grad.asnumpy(), cell.project.weight.grad().asnumpy()])
    for one, other in zip(*found, strict=True):
        numpy.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


MISTAKES = {
    "two axes": ("selfatt_qk", [(4, 18)], 3, "should be 3D in seq_length-batch-3"),
    "a width that is no multiple": ("selfatt_qk", [(4, 2, 20)], 3, r"shape\[2\] should be a multiple of 9"),
    "no heads": ("selfatt_qk", [(4, 2, 18)], 0, "heads > 0"),
    "attention to another length": ("selfatt_valatt", [(4, 2, 18), (6, 5, 5)], 3, "inferred shape|Incompat|mismatch|4"),
    "keys of another width": ("encdec_qk", [(4, 2, 9), (4, 2, 24)], 3, "."),
    "another batch": ("encdec_valatt", [(4, 2, 18), (9, 4, 4)], 3, "."),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_told(name):
    operator, shapes, heads, message = MISTAKES[name]
    arrays = [nd.ones(shape) for shape in shapes]
    with pytest.raises(mx.MXNetError, match=message):
        getattr(nd.contrib, f"interleaved_matmul_{operator}")(*arrays, heads=heads)
    names = [f"x{i}" for i in range(len(shapes))]
    symbol = getattr(mx.sym.contrib, f"interleaved_matmul_{operator}")(*map(mx.sym.var, names), heads=heads)
    with pytest.raises(mx.MXNetError):
        symbol.infer_shape(**dict(zip(names, shapes, strict=True)))


# --- steps ----------------------------------------------------------------------------------------


def states(dtype="float32"):
    rng = numpy.random.default_rng(3)
    arrays = [nd.array(rng.uniform(0.5, 1, 3).astype(dtype), dtype=dtype) for _ in range(2)]
    return [*arrays, *(nd.array(rng.uniform(0.5, 1, 3)) for _ in range(2))]


def test_one_step_of_adamw_by_position_as_in_mxnet():
    weight, grad, mean, var = states()
    expected = (0.9 * mean + 0.1 * 0.5 * grad, 0.999 * var + 0.001 * 0.25 * grad**2)
    new = weight - 2.0 * (0.1 * expected[0] / (nd.sqrt(expected[1]) + 1e-8) + 0.01 * weight)
    found = nd.contrib.adamw_update(weight, grad, mean, var, 0.5, 0.1, 2.0, wd=0.01)
    numpy.testing.assert_allclose(found.asnumpy(), new.asnumpy(), rtol=1e-5)
    numpy.testing.assert_allclose(mean.asnumpy(), expected[0].asnumpy(), rtol=1e-6)
    names = ["w", "g", "m", "v"]
    symbol = mx.sym.contrib.adamw_update(*map(mx.sym.var, names), 0.5, 0.1, 2.0, wd=0.01)
    executor = symbol.bind(mx.cpu(), dict(zip(names, states(), strict=True)))
    numpy.testing.assert_allclose(executor.forward()[0].asnumpy(), new.asnumpy(), rtol=1e-5)


def test_several_steps_are_each_one():
    singles = [states(), states()]
    for arrays, lr in zip(singles, (0.1, 0.2), strict=True):
        nd.contrib.adamw_update(*arrays, 1.0, lr, 1.0, out=arrays[0])
    several = [states(), states()]
    columns = [list(column) for column in zip(*several, strict=True)]
    nd.contrib.multi_adamw_update(*columns, nd.array([1.0]), [0.1, 0.2], [0, 0], [1, 1], out=columns[0])
    for one, other in zip(singles, several, strict=True):
        for a, b in zip(one, other, strict=True):
            numpy.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-6)


def test_steps_in_half_precision_keep_a_copy():
    weight, grad, mean, var = states("float16")
    copy = weight.astype("float32")
    nd.contrib.mp_adamw_update(weight, grad, mean, var, copy, 1.0, 0.1, 1.0, out=weight)
    assert weight.dtype == numpy.float16 and copy.dtype == numpy.float32
    numpy.testing.assert_allclose(weight.asnumpy(), copy.asnumpy(), rtol=1e-3)
    others = [[array] for array in states("float16")]
    master = [others[0][0].astype("float32")]
    nd.contrib.multi_mp_adamw_update(*others, master, 1.0, [0.1], [0], [1], out=others[0])
    numpy.testing.assert_array_equal(others[0][0].asnumpy(), weight.asnumpy())
    lamb = [[array] for array in states()]
    before = lamb[0][0].asnumpy()
    nd.contrib.multi_lamb_update(*lamb, [1], [0.1], [0.0], out=lamb[0])
    assert (lamb[0][0].asnumpy() < before).all()
    half = [[array] for array in states("float16")]
    master = [half[0][0].astype("float32")]
    nd.contrib.multi_mp_lamb_update(*half, master, [1], [0.1], [0.0], out=half[0])
    numpy.testing.assert_allclose(half[0][0].asnumpy(), master[0].asnumpy(), rtol=1e-3)


# --- the old autograd -----------------------------------------------------------------------------


def test_gradients_as_old_programs_ask_for_them():
    from d2lhybrid.contrib import autograd as old

    def f(a, b):
        return nd.exp(a) * b

    a, b = nd.array([1.0, 2.0]), nd.array([3.0, 4.0])
    gradients, loss = old.grad_and_loss(f)(a, b)
    numpy.testing.assert_allclose(gradients[0].asnumpy(), loss.asnumpy())
    assert len(old.grad(f, argnum=[1])(a, b)) == 1
    with pytest.raises(AssertionError, match="should NDArray"):
        old.grad(f)(a, 3)
    with old.train_section():
        assert autograd.is_recording() and autograd.is_training()
        with old.test_section():
            assert not autograd.is_recording() and not autograd.is_training()
        assert autograd.is_recording()
        y, z = a * 2, a * 3
    assert not autograd.is_recording()
    old.backward([y, z], [nd.ones(2), nd.ones(2)])
    assert a.grad.asnumpy().tolist() == [5, 5]
    with pytest.raises(AssertionError, match="list or tuple"):
        old.backward(y)
    with pytest.raises(AssertionError, match="same length"):
        old.backward([y], [])
    assert old.set_is_training(True) is False and old.set_is_training(False) is True
