"""``np`` arrays: memory, gradients, in-place writes, NumPy's own functions, files, blocks."""

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd, np, npx
from d2lhybrid.error import MXNetError
from d2lhybrid.numpy.fallback import FALLBACK, FALLBACK_LINALG


@pytest.fixture(autouse=True)
def _numpy_semantics():
    npx.set_np()
    yield
    npx.reset_np()


def values(array):
    return array.asnumpy().tolist()


def test_limits_may_be_arrays_without_axes():
    x = np.array([1.0, 2.0, 3.0])
    assert values(np.arange(x.min(), x.max(), 0.5)) == [1, 1.5, 2, 2.5]
    assert values(np.arange(x.max())) == [0, 1, 2]
    assert values(np.full((2,), x[1])) == [2, 2]


# --- other libraries ---------------------------------------------------------------------------------


def test_arrays_do_not_claim_a_standard_that_mxnet_contradicts():
    """Decision 0027; whoever changes one of these facts has to think again."""
    x = np.array([1, 2])
    assert not hasattr(x, "__array_namespace__") and not hasattr(nd.ones((2,)), "__array_namespace__")
    assert x.dtype == np.arange(3).dtype == numpy.float32
    for dtype in ("int16", "uint16", "uint32", "uint64", "complex64", "complex128"):
        with pytest.raises(MXNetError, match="valid values are"):
            np.zeros((2,), dtype=dtype)
    assert np.array([100, 100], dtype="int8").sum().dtype == numpy.int8


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "uint8", "int32", "int64", "bool"])
def test_libraries_that_ask_for_a_namespace_find_numpy(dtype):
    """They look for ``__array_namespace__``, and take what they are given as NumPy's where there is none."""
    x = np.array([[1, 0], [1, 1]], dtype=dtype)
    for taken in (numpy.asarray(x), numpy.from_dlpack(x)):
        assert taken.dtype == dtype and taken.tolist() == x.asnumpy().tolist()


# --- memory ------------------------------------------------------------------------------------------


def test_both_flavours_share_memory_and_the_tape():
    x = np.arange(4.0)
    x.attach_grad()
    legacy = x.as_nd_ndarray()
    assert type(legacy) is nd.NDArray and legacy.as_nd_ndarray() is legacy and x.as_np_ndarray() is x
    legacy[0] = 7
    assert values(x) == [7, 1, 2, 3]
    with autograd.record():
        y = (nd.square(x.as_nd_ndarray()).as_np_ndarray() * 2).sum()
    y.backward()
    assert type(y) is np.ndarray and values(x.grad) == [28, 4, 8, 12]


def test_what_shares_memory_and_what_copies():
    x = np.arange(6).reshape(2, 3)
    x[0][:] = 9
    x.reshape(-1)[5] = -1  # a copy, unlike NumPy's
    x[:, 1][:] = 50  # not one piece of memory: a copy
    x.T[:] = 77
    np.reshape(x, (6,))[:] = 77
    x.flatten()[5] = -1
    x.reshape_view(-1)[4] = 8
    assert values(x) == [[9, 9, 9], [3, 8, 5]]


def test_a_new_array_is_a_copy():
    raw = numpy.zeros(2, "float32")
    x = np.array(raw)
    y = np.array(x)
    raw[0] = x[1] = 1
    assert values(x) == [0, 1] and values(y) == [0, 0]


# --- writing -----------------------------------------------------------------------------------------


def test_writing_by_index_mask_and_list():
    x = np.arange(6).reshape(2, 3)
    x[x > 3] = 0
    x[0, 1:] = np.array([7, 8])
    x[[0, 1], [0, 2]] = -1
    x[1] *= 2
    assert values(x) == [[-1, 7, 8], [6, 0, -2]]
    with pytest.raises(TypeError, match="Cannot assign"):
        x[0] = nd.ones((3,))


def test_in_place_operators_keep_memory_and_dtype():
    x, i = np.ones((2, 3)), np.array([1, 2, 3], dtype="int32")
    before = x._data
    x += i
    x /= 2
    x *= np.ones((3,))
    x -= 0.5
    assert x._data is before and values(x)[0] == [0.5, 1.0, 1.5]
    i += 1.5  # integer arrays cut the number
    assert values(i) == [2, 3, 4] and i.dtype == "int32"
    with pytest.raises(MXNetError, match="Type inconsistent, Provided = int32, inferred type = float32"):
        i /= 2
    with pytest.raises(MXNetError, match=r"Shape inconsistent, Provided = \[3\], inferred shape=\[2,3\]"):
        i += x


def test_in_place_operators_respect_the_tape():
    x, y = np.ones((2,)), np.zeros((2,))
    x.attach_grad()
    with autograd.record():
        y += x * 3
        loss = (y * y).sum()
        with pytest.raises(MXNetError, match="already in a computational graph"):
            x += 1
    loss.backward()
    assert values(x.grad) == [18, 18]


# --- gradients ---------------------------------------------------------------------------------------


def test_gradients_through_masks_indices_and_broadcasting():
    x = np.array([[1.0, -2.0, 3.0], [4.0, -5.0, 6.0]])
    x.attach_grad()
    with autograd.record():
        loss = x[x > 0].sum() * 2 + x[0, 1] + (x[:, np.array([2, 2])] * np.array([1.0, 10.0])).sum()
    loss.backward()
    assert type(x.grad) is np.ndarray
    assert values(x.grad) == [[2, 1, 13], [2, 0, 13]]


def test_second_derivatives():
    x = np.array([0.5, -1.0])
    x.attach_grad()
    with autograd.record():
        (first,) = autograd.grad((np.sin(x) * x).sum(), [x], create_graph=True)
        loss = first.sum()
    loss.backward()
    raw = x.asnumpy()
    numpy.testing.assert_allclose(x.grad.asnumpy(), 2 * numpy.cos(raw) - raw * numpy.sin(raw), rtol=1e-5)


# --- NumPy's own functions ---------------------------------------------------------------------------


def test_functions_of_numpy_take_our_arrays():
    x = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert type(numpy.exp(x)) is np.ndarray and type(numpy.mean(x, axis=0)) is np.ndarray
    assert values(numpy.mean(x, axis=0)) == [2, 3]
    assert type(numpy.linalg.norm(x)) is np.ndarray
    assert float(numpy.median(x)) == 2.5  # which mx.np does not have
    assert numpy.asarray(x).dtype == numpy.float32
    out = np.zeros((2, 2))
    assert numpy.add(x, 1, out=out) is out and values(out) == [[2, 3], [4, 5]]
    with pytest.raises(TypeError, match="not supported"):
        numpy.ones((2, 2)) + x


def test_functions_that_go_to_numpy():
    x = np.array([[1.0, 2.0], [3.0, 5.0]])
    assert np.cov(x).dtype == "float64" and values(np.isclose(x, x)) == [[True, True], [True, True]]
    assert np.ptp(x) == 4.0 and np.linalg.matrix_rank(x) == 2
    assert [part.shape for part in np.linalg.qr(x)] == [(2, 2), (2, 2)]
    for name in FALLBACK:
        assert callable(getattr(np, name)) and "NumPy computes the result from host copies" in getattr(np, name).__doc__
    for name in FALLBACK_LINALG:
        assert callable(getattr(np.linalg, name))


# --- the modules ---------------------------------------------------------------------------------------


def test_every_listed_name_is_there():
    for module in (
        np, np.random, np.linalg, npx, npx.random, npx.image, nd.np, nd.np.random, nd.np.linalg, nd.npx,
        mx.sym.np, mx.sym.np.random, mx.sym.np.linalg, mx.sym.npx, mx.sym.npx.random,
    ):  # fmt: skip
        for name in dir(module):
            getattr(module, name)


def test_functions_show_their_signature():
    import inspect

    assert str(inspect.signature(np.mean)) == "(a, axis=None, dtype=None, out=None, keepdims=False)"
    assert str(inspect.signature(mx.sym.np.tensordot)) == "(a, b, axes=2)"
    assert np.mean.__module__ == "d2lhybrid.numpy" and "mean" in np.mean.__doc__


def test_a_wrong_name_gets_a_suggestion():
    with pytest.raises(AttributeError, match=r"module 'd2lhybrid\.numpy' has no attribute 'concatenat'") as caught:
        np.concatenat  # noqa: B018
    assert "concatenate" in caught.value.__notes__[0]


# --- random numbers --------------------------------------------------------------------------------------


def test_shapes_of_random_numbers():
    assert np.random.uniform().shape == () and np.random.normal(size=3).shape == (3,)
    assert np.random.normal(np.zeros((2, 1)), np.ones(3)).shape == (2, 3)
    assert np.random.randint(5, size=[2, 2]).dtype == "int64"
    assert np.random.multivariate_normal(np.zeros(2), np.eye(2), (5,)).shape == (5, 2)
    assert int(np.random.multinomial(10, [0.5, 0.5]).sum()) == 10


def test_a_seed_repeats_random_numbers():
    mx.random.seed(3)
    first = values(np.random.gamma(2.0, size=4))
    npx.random.seed(3)
    assert values(np.random.gamma(2.0, size=4)) == first


def test_shuffle_works_in_place():
    x = np.arange(20)
    assert np.random.shuffle(x) is None
    assert sorted(values(x)) == list(range(20))


def test_gradients_reach_the_parameters_of_a_distribution():
    scale = np.array([1.0, 2.0])
    scale.attach_grad()
    with autograd.record():
        sample = np.random.normal(0, scale, size=(3, 2))
    sample.backward()
    numpy.testing.assert_allclose((scale.grad * scale).asnumpy(), sample.asnumpy().sum(axis=0), rtol=1e-5)


# --- files and blocks ------------------------------------------------------------------------------------


def test_save_and_load(tmp_path):
    file = str(tmp_path / "arrays")
    npx.save(file, {"a": np.array(5.0), "b": np.zeros((0, 3))})
    loaded = npx.load(file)
    assert type(loaded["a"]) is np.ndarray and loaded["a"].shape == () and loaded["b"].shape == (0, 3)
    npx.save(file, [np.ones(2), np.ones(1)])
    assert [a.shape for a in npx.load(file)] == [(2,), (1,)]
    with pytest.raises(ValueError, match="data needs to either be a ndarray"):
        npx.save(file, nd.ones((1,)))
    with pytest.raises(TypeError, match="Only accepts dict"):
        npx.save(file, [numpy.ones(1)])


class Net(gluon.HybridBlock):
    def __init__(self):
        super().__init__()
        self.hidden = gluon.nn.Dense(4, activation="tanh")

    def hybrid_forward(self, F, x):
        x = self.hidden(x)
        first, second = F.np.split(x, 2, axis=1)
        x = F.np.concatenate([F.npx.relu(first), F.np.exp(second)], axis=-1)
        x = F.np.where(x > 0.5, x, F.np.zeros_like(x)) - x.mean(axis=0, keepdims=True)
        return x[:, 1:] * 2 + F.np.arange(3), F.np.dot(x, x.T)


def test_a_hybridized_block_and_its_file_do_the_same(tmp_path):
    net = Net()
    net.initialize()
    x = np.random.normal(size=(3, 5))
    x.attach_grad()

    def run(block):
        with autograd.record():
            out = block(x)
            loss = out[0].sum() + out[1].sum()
        loss.backward()
        return [values(out[0]), values(out[1]), values(x.grad)]

    eager = run(net)
    net.hybridize()
    for compiled in (run(net), run(net)):
        for a, b in zip(eager, compiled, strict=True):
            numpy.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
    net.export(str(tmp_path / "net"))
    with pytest.warns(UserWarning, match="Cannot decide type"):
        again = gluon.SymbolBlock.imports(
            str(tmp_path / "net-symbol.json"), ["data"], str(tmp_path / "net-0000.params")
        )
    out = again(x)
    assert type(out[0]) is np.ndarray
    numpy.testing.assert_allclose(values(out[0]), eager[0], rtol=1e-5, atol=1e-6)


def test_use_np_on_a_class():
    npx.reset_np()

    @mx.util.use_np
    class Sum(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            assert npx.is_np_array()
            return F.np.sum(x)

    net = Sum()
    x = np.ones((2, 2))
    assert repr(net(x)) == "array(4.)"
    net.hybridize()
    assert repr(net(x)) == "array(4.)" and not npx.is_np_array()


def test_an_array_without_axes_is_repeated_flat_only() -> None:
    with pytest.raises(MXNetError, match="axis = 0 out of bounds"):
        np.repeat(np.array(3.0), 2, axis=0)
    assert np.repeat(np.array(3.0), 2).tolist() == [3, 3]


@pytest.mark.parametrize("array", [np.array(2.0), np.mean(np.ones((2, 3)))])
def test_an_array_without_axes_is_no_sequence(array):
    # Matplotlib asks before it draws a line at a mean.
    assert not numpy.iterable(array)
    with pytest.raises(TypeError, match="iteration over a 0-d array"):
        iter(array)
    assert numpy.iterable(np.ones(2)) and [float(x) for x in np.ones(2)] == [1, 1]


@pytest.mark.parametrize(
    "call",
    [
        lambda a, b: numpy.column_stack([a, b]),
        lambda a, b: numpy.concatenate((b, a)),
        lambda a, b: numpy.where(b > 1, a, b),
        lambda a, b: numpy.broadcast_arrays(a, b)[0],
        lambda a, b: numpy.stack([a, b, a]),
    ],
)
def test_functions_of_numpy_take_its_arrays_and_ours_together(call):
    # So Matplotlib draws surfaces.
    ours, theirs = np.array([1, 2, 3], dtype="float32"), numpy.array([3.0, 1, 2])
    result, expected = call(ours, theirs), call(ours.asnumpy(), theirs)
    numpy.testing.assert_array_equal(numpy.asarray(result), expected)
    assert result.dtype == expected.dtype


def test_functions_of_numpy_lose_no_gradient_between_its_arrays_and_ours():
    x = np.ones(2)
    x.attach_grad()
    with autograd.record():
        with pytest.raises(TypeError, match=r"no implementation found for 'numpy.stack'") as caught:
            numpy.stack([x, numpy.ones(2)])
        y = numpy.stack([x, np.ones(2)]).sum()
    assert "Convert NumPy arrays with mx.np.array(x)" in "".join(caught.value.__notes__)
    y.backward()
    assert values(x.grad) == [1, 1]


@pytest.mark.parametrize("dtype", ["float16", "int32", "uint8", "int64", "float64"])
def test_a_long_line_ends_before_the_element_type_as_numpy_ends_it(dtype):
    # MXNet takes NumPy's text, and puts a type that NumPy does not name behind it.
    for size in range(12, 28):
        array = np.array([[1] * size], dtype=dtype)
        text = repr(array.asnumpy())
        expected = text if "dtype=" in text else f"{text[:-1]}, dtype={dtype})"
        assert repr(array) == expected
    assert repr(np.zeros((0, 3), dtype="int32")) == "array([], shape=(0, 3), dtype=int32)"


@pytest.mark.parametrize(
    ("call", "registered", "known"),
    [
        (lambda: mx.npx.image.to_tensor(mx.nd.ones((2, 2, 3))), "_npx__image_to_tensor", "to_tensor"),
        (lambda: mx.npx.relu(mx.nd.ones(2)), "_npx_relu", "relu"),
        (lambda: mx.nd.image.to_tensor(mx.np.ones((2, 2, 3))), "_image_to_tensor", "to_tensor"),
        (lambda: mx.nd.contrib.box_iou(mx.np.ones((2, 4)), mx.np.ones((2, 4))), "_contrib_box_iou", "box_iou"),
        (lambda: mx.nd.relu(mx.np.ones(2)), "relu", "relu"),
    ],
)
def test_an_array_of_the_other_kind_is_told_both_names_of_the_operator(call, registered, known):
    with pytest.raises(TypeError) as caught:
        call()
    told = f"Operator `{registered}` registered in backend is known as `{known}` in Python"
    assert str(caught.value).startswith(told)


def test_a_file_that_is_not_there_is_a_value_error_under_np(tmp_path):
    net = mx.gluon.nn.Dense(2, in_units=2)
    for np_arrays, kind in ((False, mx.MXNetError), (True, ValueError)):
        with mx.util.np_array(np_arrays), pytest.raises(kind, match="No such file or directory") as caught:
            net.load_parameters(str(tmp_path / "nothing.params"))
        assert type(caught.value) is kind
