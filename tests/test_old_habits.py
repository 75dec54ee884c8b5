"""Small habits of old programs: what they call, and what they get, as in MXNet 1.9.1."""

import pickle

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, nd


def recorded():
    x = nd.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    x.attach_grad()
    with autograd.record():
        y = x * x
    return x, y


@pytest.mark.parametrize("heads", [lambda y: y, lambda y: [y]])
@pytest.mark.parametrize("variables", [lambda x: x, lambda x: [x]])
@pytest.mark.parametrize("given", [lambda g: g, lambda g: [g]])
def test_grad_returns_a_list_and_takes_arrays_and_lists(heads, variables, given):
    x, y = recorded()
    found = autograd.grad(heads(y), variables(x), given(nd.ones((2, 3)) * 2))
    assert type(found) is list and len(found) == 1
    numpy.testing.assert_array_equal(found[0].asnumpy(), 4 * x.asnumpy())


def test_gradients_of_gradients_by_the_first_of_the_list():
    x = nd.array([1.0, 2.0])
    x.attach_grad()
    with autograd.record():
        y = nd.sin(x)
        for _ in range(3):
            y = autograd.grad(y, x, head_grads=nd.ones(2), create_graph=True, retain_graph=True)[0]
    numpy.testing.assert_allclose(y.asnumpy(), -numpy.cos(x.asnumpy()), rtol=1e-6)


def test_backward_takes_one_gradient_for_a_list_of_one():
    x, y = recorded()
    autograd.backward([y], nd.ones((2, 3)))
    numpy.testing.assert_array_equal(x.grad.asnumpy(), 2 * x.asnumpy())
    x, y = recorded()
    with pytest.raises((AssertionError, ValueError), match="same length"):
        autograd.backward([y, y], nd.ones((2, 3)))


def test_attributes_of_symbols_that_optimizers_read():
    data = mx.sym.Variable("data", attr={"mood": "angry", "force_mirroring": "True"}, lr_mult=1)
    assert data.attr("__force_mirroring__") == data.attr("force_mirroring") == "True"
    assert pickle.loads(pickle.dumps(data)).list_attr() == data.list_attr()
    conv = mx.sym.Convolution(
        data=data, name="conv", kernel=(1, 1), num_filter=1, attr={"__mood__": "so so", "wd_mult": "x"}, lr_mult=2
    )
    found = conv.attr_dict()["conv"]
    assert found["lr_mult"] == found["__lr_mult__"] == "2" and found["wd_mult"] == found["__wd_mult__"] == "x"
    assert conv.attr_dict()["data"]["mood"] == "angry"
    with pytest.raises(mx.MXNetError, match="Cannot find argument 'lr_mul'"):
        mx.sym.Convolution(data=data, kernel=(1, 1), num_filter=1, lr_mul=2)


@pytest.mark.parametrize(
    ("method", "arguments", "shape"),
    [
        ("expand_dims", {"axis": -1}, (1, 2, 3, 1)),
        ("squeeze", {}, (2, 3)),
        ("squeeze", {"axis": (0,)}, (2, 3)),
        ("flatten", {}, (1, 6)),
    ],
)
def test_shapes_in_place(method, arguments, shape):
    x = nd.zeros((1, 2, 3))
    copy, view = getattr(x, method)(**arguments), getattr(x, method)(inplace=True, **arguments)
    x[:] = 5
    assert copy.shape == view.shape == shape
    assert (view.asnumpy() == 5).all() and (copy.asnumpy() == 0).all()


def test_mistakes_of_shapes_in_place():
    with pytest.raises(mx.MXNetError):
        nd.zeros((2, 3)).squeeze(axis=0, inplace=True)
    with pytest.raises(mx.MXNetError, match="Cannot find argument 'foo'"):
        nd.zeros((2, 3)).flatten(foo=1)


def test_storage_can_be_changed():
    x = nd.array([[0.0, 1.0], [0.0, 0.0]])
    for stype in ("csr", "row_sparse", "default"):
        assert nd.cast_storage(x, stype).stype == nd.sparse.cast_storage(x, stype=stype).stype == stype
    x.attach_grad()
    with autograd.record():
        y = nd.cast_storage(x * 2, "csr")
    y.backward()
    assert (x.grad.asnumpy() == 2).all()
    symbol = mx.sym.cast_storage(mx.sym.var("x"), stype="csr")
    assert symbol.eval(x=x)[0].asnumpy().tolist() == x.asnumpy().tolist()
    with pytest.raises(mx.MXNetError, match="Invalid Input: 'coo', valid values are"):
        nd.cast_storage(x, "coo")


def test_names_of_base_and_constants_as_text():
    from d2lhybrid.base import _as_list, c_array, c_str, mx_real_t, mx_uint, numeric_types, py_str

    assert py_str(c_str("weight").value or b"") == "weight" and c_array(mx_uint, [3, 4])[1] == 4
    assert _as_list(1) == [1] and mx_real_t is numpy.float32 and isinstance(numpy.int64(1), numeric_types)
    for value in (nd.ones(2), numpy.ones(2), [1.0, 1.0]):
        assert mx.init.Constant(value).dumps() == '["constant", {"value": [1.0, 1.0]}]'


EMPTY = {
    "softmax": lambda F, x: F.npx.softmax(x, axis=1),
    "softmax along another": lambda F, x: F.npx.softmax(x, axis=0),
    "log_softmax": lambda F, x: F.npx.log_softmax(x, axis=1),
    "sort": lambda F, x: F.np.sort(x, axis=1),
    "argsort": lambda F, x: F.np.argsort(x, axis=2),
}


@pytest.mark.parametrize("hybridized", [False, True])
@pytest.mark.parametrize("name", EMPTY)
def test_arrays_of_nothing_stay_so(name, hybridized):
    class Net(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return EMPTY[name](F, x)

    with mx.util.np_array(True), mx.util.np_shape(True):
        net = Net()
        net.hybridize(hybridized)
        x = mx.np.zeros((3, 0, 4))
        x.attach_grad()
        with autograd.record():
            y = net(x)
        if name != "argsort":
            y.backward()
        assert y.shape == x.grad.shape == (3, 0, 4)


@pytest.mark.parametrize(
    "draw",
    [
        lambda random: random.normal(0, -1, 2), lambda random: random.gamma(1, 0),
        lambda random: random.exponential(-1, 2), lambda random: random.weibull(-1, 2),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", [ValueError, mx.MXNetError])
def test_numbers_out_of_range_are_value_errors(draw, kind):
    with pytest.raises(kind, match=r"param\.\w+\.value\(\)"):
        draw(mx.np.random)


def test_numbers_of_numpy_are_numbers_of_np():
    assert mx.np.clip(1.5, 0, 1) == 1
    kept = mx.np.delete(mx.np.arange(4), numpy.int32(1))
    assert kept.asnumpy().tolist() == [0, 2, 3]
    assert mx.np.insert(kept, numpy.int64(1), 7).asnumpy().tolist() == [0, 7, 2, 3]


# --- numbers as they stand in a file -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "dtype", "expected"),
    [
        (["1", "2"], "int32", [1, 2]),
        ([["1", "2.5"]], None, [[1.0, 2.5]]),
        (numpy.array(["7"]), None, [7.0]),
        ("3", None, 3.0),
        ([b"3"], None, [3.0]),
    ],
)
def test_arrays_of_numbers_that_are_texts(given, dtype, expected):
    found = nd.array(given, dtype=dtype)
    assert found.dtype == numpy.dtype(dtype or "float32") and found.asnumpy().tolist() == expected


@pytest.mark.parametrize(("given", "dtype"), [(["a", "2"], None), (["1.5"], "int32"), ([{}], None), ({1: 2}, None)])
def test_texts_that_are_no_numbers(given, dtype):
    with pytest.raises(TypeError, match="source_array must be array like object"):
        nd.array(given, dtype=dtype)


# --- numbers of NumPy on the left, and names with an underscore ------------------------------------------------


@pytest.mark.parametrize("number", [numpy.float32(2), numpy.float64(2), numpy.int64(2)])
def test_a_number_of_numpy_is_compared_as_a_number_of_python(number):
    x = nd.array([5.0, 2.0, 1.0])
    for found, expected in (
        (number == x, x == 2),
        (number != x, x != 2),
        (number < x, x > 2),
        (number <= x, x >= 2),
        (number > x, x < 2),
        (number >= x, x <= 2),
    ):
        assert type(found) is nd.NDArray and found.dtype is numpy.float32
        assert found.asnumpy().tolist() == expected.asnumpy().tolist()
    x.attach_grad()
    with autograd.record():
        y = (x * (number < x)).sum()  # type: ignore[operator]
    y.backward()
    assert x.grad.asnumpy().tolist() == [1, 0, 0]


def test_rows_and_values_by_names_with_an_underscore():
    x = nd.arange(12).reshape((3, 4))
    x._at(1)[:] = 0
    x._slice(2, None)[:] = 7
    assert x.asnumpy().tolist() == [[0, 1, 2, 3], [0] * 4, [7] * 4]
    assert x._full(3) is x and x.asnumpy().tolist() == [[3] * 4] * 3
    x._sync_copyfrom(numpy.ones((3, 4), "float64"))
    assert x.dtype is numpy.float32 and x.asnumpy().tolist() == [[1] * 4] * 3
    with pytest.raises(ValueError, match=r"Shape inconsistent: expected \(4, 3\) vs got \(3, 4\)"):
        x._sync_copyfrom(numpy.ones((4, 3)))


def test_a_copy_to_itself_is_warned_of():
    x = nd.array([1.0, 2.0])
    with pytest.warns(RuntimeWarning, match="You are attempting to copy an array to itself"):
        assert x.copyto(x) is False
    assert x.asnumpy().tolist() == [1, 2]


# --- tables --------------------------------------------------------------------------------------------------


class Two(mx.gluon.HybridBlock):
    def hybrid_forward(self, F, x, y, word):
        return x, [y, (x, None)]


def test_a_summary_names_several_inputs_and_outputs_without_brackets_around_them(capsys):
    Two().summary(nd.ones((2, 3)), nd.ones((4,)), None)
    rows = capsys.readouterr().out.splitlines()
    assert rows[3].split() == ["Input", "(2,", "3),", "(4,),", "None", "0"]
    assert rows[4].split() == ["Two-1", "(2,", "3),", "[(4,),", "[(2,", "3),", "None]]", "0"]


# --- what is copied while it is recorded, and what a gradient is asked of ----------------------------------------


@pytest.mark.parametrize("ctx", [mx.cpu(0), mx.cpu(1)])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_recorded_copy_leads_back(ctx, dtype):
    x = nd.array([1.0, 2.0])
    x.attach_grad()
    with autograd.record():
        y = nd.zeros(2, ctx=ctx, dtype=dtype)
        assert (x * x).copyto(y) is y
        z = y * 3
    assert z.context == ctx and z.dtype == numpy.dtype(dtype)
    z.backward()
    assert x.grad.asnumpy().tolist() == [6, 12]


def test_a_copy_into_what_is_recorded_is_refused_and_a_copy_of_what_is_not_is_a_constant():
    x = nd.array([1.0, 2.0])
    x.attach_grad()
    with autograd.record():
        y = x * 1
        with pytest.raises(mx.MXNetError, match="Assigning to NDArrays that are already in a computational graph"):
            (x * 7).copyto(y)
        constant = nd.zeros(2)
        nd.ones(2).copyto(constant)
        z = constant * x
    z.backward()
    assert x.grad.asnumpy().tolist() == [1, 1]
    assert x.copyto(y) is y and y.asnumpy().tolist() == [1, 2]


@pytest.mark.parametrize("create_graph", [False, True])
def test_a_variable_that_the_heads_do_not_depend_on_is_named(create_graph):
    x, w = nd.ones(2), nd.ones(3)
    x.attach_grad()
    w.attach_grad()
    with autograd.record():
        y = x * 2
        with pytest.raises(mx.MXNetError, match="respect to the 2-th variable because it is unreachable from the out"):
            autograd.grad(y, [x, w], create_graph=create_graph, retain_graph=True)
    with pytest.raises(AssertionError, match="variables cannot be an empty list"):
        autograd.grad(y, [])
    assert autograd.grad(y, x)[0].asnumpy().tolist() == [2, 2]
    with autograd.record():
        y = nd.BlockGrad(x).sum() + nd.argmax(x, axis=0) + w.sum()  # a way there is, though nothing goes back on it
    assert [g.asnumpy().tolist() for g in autograd.grad(y, [x, w])] == [[0, 0], [1, 1, 1]]


# --- symbols ---------------------------------------------------------------------------------------------------


def test_a_variable_takes_texts_alone_as_attributes():
    with pytest.raises(ValueError, match="Set Attr only accepts string values"):
        mx.sym.var("data", attr={"mood": 3})


def test_what_types_were_given_is_printed_with_their_error(capsys):
    net = mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=3, name="fc")
    with pytest.raises(mx.MXNetError, match="expected float16, got float32"):
        net.infer_type(x="float16", fc_weight="float32")
    assert capsys.readouterr().out.splitlines() == [
        "infer_type error. Arguments:",
        "  x: float16",
        "  fc_weight: float32",
    ]
    with pytest.raises(mx.MXNetError):
        net.infer_type_partial(x="float16", fc_weight="float32")
    assert not capsys.readouterr().out


def test_shapes_and_types_are_given_by_position_or_by_name():
    net = mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=3, name="fc")
    with pytest.raises(ValueError, match="Can only specify known argument shapes either by positional or kwargs way"):
        net.infer_shape((1, 2), x=(1, 2))
    with pytest.raises(ValueError, match="Can only specify known argument types either by positional or kwargs way"):
        net.infer_type("float32", x="float32")
    with pytest.raises(TypeError, match="'float' object cannot be interpreted as an integer"):
        net.infer_shape(x=(2.5, 3))


# --- files and batches -------------------------------------------------------------------------------------------


def test_nd_load_gives_classic_arrays_and_npx_load_those_of_np(tmp_path):
    file = str(tmp_path / "arrays")
    mx.npx.set_np()
    try:
        mx.npx.save(file, {"x": mx.np.ones((2, 3))})
        old, new = mx.nd.load(file)["x"], mx.npx.load(file)["x"]
        assert type(old) is mx.nd.NDArray and type(new) is mx.np.ndarray
        with open(file, "rb") as stream:
            assert type(mx.nd.load_frombuffer(stream.read())["x"]) is mx.nd.NDArray
    finally:
        mx.npx.reset_np()


def test_batches_have_arrays_in_the_order_of_their_names_and_tell_classes_of_numbers():
    arrays = {"z": numpy.ones((4, 1)), "a": nd.ones((4, 2), dtype="int32")}
    batches = mx.io.NDArrayIter(arrays, {"q": numpy.ones(4), "b": numpy.zeros(4)}, 2)
    assert [desc.name for desc in batches.provide_data + batches.provide_label] == ["a", "z", "b", "q"]
    batch = next(batches)
    assert [a.shape for a in batch.data] == [(2, 2), (2, 1)] and batch.label[0].asnumpy().tolist() == [0, 0]
    assert repr(batches.provide_data[0]) == "DataDesc[a,(2, 2),<class 'numpy.int32'>,NCHW]"


@pytest.mark.parametrize(
    ("examples", "size", "epochs"),
    [
        (7, 3, [[("012", 0), ("345", 0)], [("601", 1), ("234", 0)], [("560", 2), ("123", 0), ("456", 0)]]),
        (2, 3, [[], [("010", 2)], [("101", 1)], []]),
        (6, 3, [[("012", 0), ("345", 0)]] * 2),
    ],
)
def test_examples_that_roll_over_are_the_pad_of_the_next_epoch(examples, size, epochs):
    batches = mx.io.NDArrayIter(numpy.arange(examples), None, size, last_batch_handle="roll_over")
    for expected in epochs:
        assert [("".join(f"{x:.0f}" for x in b.data[0].asnumpy()), b.pad) for b in batches] == expected
        batches.reset()
    batches.hard_reset()
    assert [b.pad for b in batches] == [pad for _, pad in epochs[0]]


# --- functions that go by what they are given ----------------------------------------------------------------------


def test_a_histogram_without_a_range_is_numpys_with_a_warning():
    x = nd.array([0.0, 1.0, 2.0, 2.0])
    with pytest.warns(UserWarning, match="range is not specified, using numpy's result to ensure consistency"):
        found = nd.histogram(x, 2)
    assert type(found) is tuple and [a.dtype for a in found] == [numpy.float32, numpy.float32]
    assert [a.asnumpy().tolist() for a in found] == [[1, 3], [0, 1, 2]]
    assert nd.histogram(x, 2, (0, 2))[0].dtype is nd.histogram(x, nd.array([0, 1, 2]))[0].dtype is numpy.int64
    with pytest.raises(ValueError, match="bins argument should be either an integer or an NDArray"):
        nd.histogram(x, [0, 1, 2])


def test_one_number_is_taken_from_the_colours_of_integers():
    image = nd.array([[[0, 1, 200]]], dtype="uint8")
    assert mx.image.color_normalize(image, 1, 2) is image
    assert image.dtype is numpy.uint8 and image.asnumpy().tolist() == [[[127, 0, 99]]]


@pytest.mark.parametrize("name", ["ceil", "fix", "floor", "trunc"])
@pytest.mark.parametrize("number", [3, True, numpy.int8(3), 3.0])
def test_a_number_is_rounded_to_a_float(name, number):
    found = getattr(mx.np, name)(number)
    assert type(found) is float and found == number
    assert type(mx.np.square(3)) is int
