"""What is particular about MXNet's element-wise operators: rounding, dtypes, ties, broadcasting."""

import math

import numpy
import pytest

from d2lhybrid.error import MXNetError, ShapeError
from d2lhybrid.internals.core.kernel_space import kernel_space
from d2lhybrid.internals.core.operator import get_operator

F = kernel_space(numpy)


@pytest.fixture(autouse=True)
def _silent():
    with numpy.errstate(all="ignore"):
        yield


def same(result, expected, dtype=None):
    result = numpy.asarray(result)
    numpy.testing.assert_array_equal(result, expected)
    if dtype is not None:
        assert result.dtype == dtype


def gradients(name, *arrays, head=None, needs=None, **attributes):
    op = get_operator(name)
    y = op(numpy, *arrays, **attributes)
    head = numpy.ones_like(y) if head is None else head
    return op.vjp(F, [head], [y], arrays, attributes, needs or (True,) * len(arrays), False)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_rounding(dtype):
    below = numpy.nextafter(numpy.array(0.5, dtype), numpy.array(0, dtype))
    x = numpy.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, below, math.inf, -math.inf], dtype)
    same(F.round(x), [-3, -2, -1, 1, 2, 3, 0, math.inf, -math.inf], dtype)
    same(F.rint(x), [-3, -2, -1, 0, 1, 2, 0, math.inf, -math.inf], dtype)
    same(F._npi_around(x), [-2, -2, 0, 0, 2, 2, 0, math.inf, -math.inf], dtype)
    large = numpy.array([2.0 ** (numpy.finfo(dtype).nmant) + 1], dtype)
    same(F.round(large), large)


def test_integers_stay_integers():
    x = numpy.array([1, 2, 9], "int32")
    same(F.exp(x), [2, 7, 8103], "int32")
    same(F._npi_sqrt(x), [1, 1, 3], "int32")
    same(F._plus_scalar(x, scalar=0.5), x, "int32")
    same(F._npi_add_scalar(x, scalar=0.5, is_int=False), x + 0.5, "float64")
    same(F._npi_true_divide_scalar(x, scalar=2.0), x / 2, "float32")
    same(F.broadcast_div(numpy.array([-7, 7, -7, 6]), numpy.array([2, -2, -2, -3])), [-3, -3, 3, -2])
    same(F.broadcast_power(numpy.array([2, -1, 3]), numpy.array([-1, -3, 3])), [0, -1, 27])
    same(F._plus_scalar(numpy.array([1], "uint8"), scalar=-3.0), [254], "uint8")
    same(F._minus_scalar(numpy.array([True, False]), scalar=1.0), [0, -1], "int64")


def test_remainder():
    x = numpy.array([-3.5, 3.5, 2.0, math.nan], "float32")
    same(F._mod_scalar(x, scalar=2.0), [0.5, 1.5, 0, math.nan], "float32")
    same(F._mod_scalar(x, scalar=0.0), [0, 0, 0, 0], "float32")
    same(F.broadcast_mod(x, numpy.array([0, -2, 0, 0], "float32")), [0, -0.5, 0, 0], "float32")
    same(F.broadcast_mod(numpy.array([-7, 7]), numpy.array([3, 0])), [2, 0])


def test_promotion_in_np():
    types = {
        ("float32", "int64"): "float32", ("float16", "int32"): "float16", ("float16", "float64"): "float64",
        ("int8", "int32"): "int32", ("bool", "uint8"): "uint8", ("bool", "float32"): "float32",
    }  # fmt: skip
    for (a, b), expected in types.items():
        for pair in ((a, b), (b, a)):
            arrays = [numpy.ones(2, t) for t in pair]
            same(F._npi_multiply(*arrays), [1, 1], expected)
            op = get_operator("_npi_multiply")
            assert op.type_rule(*(x.dtype for x in arrays))[1] == [expected]
    same(F._npi_true_divide(numpy.array([3]), numpy.array([2])), [1.5], "float32")
    same(F._npi_greater(numpy.ones(2), numpy.zeros(1)), [True, True], "bool")


def test_gradients_of_mixed_dtypes_come_back_in_the_operand():
    a, b = numpy.ones((2, 3), "float32"), numpy.full((3,), 2, "float64")
    da, db = gradients("_npi_multiply", a, b)
    same(da, numpy.full((2, 3), 2), "float32")
    same(db, [2, 2, 2], "float64")
    assert gradients("_npi_multiply", a, b, needs=(False, True))[0] is None


def test_ties_of_maximum_and_ends_of_clip():
    x = numpy.array([1.0, 2.0, 3.0])
    left, right = gradients("broadcast_maximum", x, numpy.full(3, 2.0))
    same(left, [0, 1, 1])
    same(right, [1, 0, 0])
    left, right = gradients("broadcast_minimum", x, numpy.full(3, 2.0))
    same(left, [1, 1, 0])
    same(right, [0, 0, 1])
    same(gradients("clip", x, a_min=1.0, a_max=2.0)[0], [1, 1, 0])
    same(gradients("_maximum_scalar", x, scalar=2.0)[0], [0, 1, 1])


@pytest.mark.parametrize("size", [3, 10_000])
def test_relu_of_short_and_long_arrays(size):
    x = numpy.linspace(-1, 1, size, dtype="float32")
    x[0] = math.nan
    same(F.relu(x), numpy.maximum(x, 0), "float32")
    same(F._npx_relu(x.astype("int32") * 2), numpy.maximum(x.astype("int32") * 2, 0), "int32")
    same(F._minimum_scalar(x, scalar=0.25), numpy.minimum(x, numpy.float32(0.25)), "float32")
    same(gradients("relu", x)[0][1:], x[1:] > 0, "float32")


def test_casts():
    same(F.Cast(numpy.array([1.7, -1.7]), dtype="int32"), [1, -1], "int32")
    same(F.Cast(numpy.array([0.0, 0.1]), dtype="bool"), [False, True], "bool")
    same(F.amp_cast(numpy.array([1, 2]), dtype="float16"), [1, 2], "int64")
    half, single, number = numpy.ones(1, "float16"), numpy.ones(1, "float32"), numpy.ones(1, "int32")
    wide = F.amp_multicast(half, single, number, num_outputs=3)
    narrow = F.amp_multicast(half, single, number, num_outputs=3, cast_narrow=True)
    assert [a.dtype for a in wide] == ["float32", "float32", "int32"]
    assert [a.dtype for a in narrow] == ["float16", "float16", "int32"]
    same(F.amp_cast(numpy.array([1.5]), dtype="float16"), [1.5], "float64")
    mixed = F.amp_multicast(half, single, numpy.ones(1), num_outputs=3, cast_narrow=True)
    assert [a.dtype for a in mixed] == ["float16", "float16", "float64"]
    (gradient,) = gradients("Cast", half, head=numpy.full(1, 3.0), dtype="float64")
    same(gradient, [3], "float16")


@pytest.mark.parametrize(
    ("scalar", "loss", "slope"),
    [(0.5, [0, 0, 0, 0], [0, 0, 0, 0]), (1.5, [0, 1, 2, 99], [1, 1, -1, 1]), (-2.5, [0, 1, 2, 99], [1, 1, -1, 1])],
)
def test_smooth_l1_of_integers_truncates_its_scalar(scalar, loss, slope):
    x = numpy.array([1, 2, -3, 100], "int32")
    same(F.smooth_l1(x, scalar=scalar), loss, "int32")
    same(gradients("smooth_l1", x, head=numpy.ones(4, "int32"), scalar=scalar)[0], slope, "int32")


def test_what_changes_only_the_gradient():
    x = numpy.array([-1.5, 2.0])
    assert gradients("BlockGrad", x) == [None]
    same(gradients("make_loss", x, head=numpy.array([5.0, 5.0]))[0], [1, 1])
    same(gradients("_contrib_gradientmultiplier", x, scalar=-2.0)[0], [-2, -2])
    same(gradients("_contrib_round_ste", x)[0], [1, 1])
    assert get_operator("make_loss").list_outputs({}) == ["loss"]


def test_broadcasting():
    x = numpy.arange(3.0).reshape(1, 3)
    same(F.broadcast_to(x, shape=(2, 0)), [[0, 1, 2], [0, 1, 2]])
    same(gradients("broadcast_to", x, shape=(2, 0))[0], [[2, 2, 2]])
    same(F.broadcast_axis(x, axis=(0,), size=(2,)), [[0, 1, 2], [0, 1, 2]])
    assert F.broadcast_like(x, numpy.ones((5, 7)), lhs_axes=(0,), rhs_axes=(-1,)).shape == (7, 3)
    same(F._reduce_like(numpy.ones((4, 2, 3)), numpy.ones((2, 1))), [[12], [12]])
    same(F.add_n(x, x, x), 3 * x)


@pytest.mark.parametrize(
    ("name", "arrays", "attributes", "message"),
    [
        ("elemwise_add", [(2, 3), (3,)], {}, "at 1-th input: expected [2,3], got [3]"),
        ("broadcast_to", [(3,)], {"shape": (2, 3)}, "Operand of shape [3] cannot be broadcasted to [2,3]"),
        ("broadcast_like", [(2, 2), (2, 3)], {}, "Array cannot be broadcasted from [2,2] to [2,3]"),
        ("broadcast_axis", [(2, 3)], {"axis": (1,), "size": (4,)}, "Broadcasting axis must have size 1"),
        ("add_n", [(2,), (3,)], {}, "at 1-th input: expected [2], got [3]"),
    ],
)
def test_shape_errors_of_kernels_and_of_shape_rules(name, arrays, attributes, message):
    op = get_operator(name)
    with pytest.raises(ShapeError) as error:
        op(numpy, *(numpy.ones(s) for s in arrays), **attributes)
    assert message in str(error.value)
    with pytest.raises(ShapeError) as error:
        op.shape_rule(*arrays, **op.complete(attributes))
    assert message in str(error.value)


def test_dtype_errors():
    real, integer = numpy.ones(2, "float32"), numpy.ones(2, "int32")
    with pytest.raises(ShapeError, match="at 1-th input: expected float32, got int32"):
        F.broadcast_add(real, integer)
    with pytest.raises(ShapeError, match="Type inconsistent, Provided = float32, inferred type = int32"):
        F._npi_equal(real, integer)
    with pytest.raises(ShapeError, match="Do not support `int` as input"):
        F._npi_hypot(integer, integer)
    with pytest.raises(MXNetError, match="only support floating point types, not int32"):
        F.hard_sigmoid(integer)
    with pytest.raises(MXNetError, match="Unknown type enum 7"):
        F.exp(numpy.ones(2, bool))
