"""Maximum and minimum of a large array and a number: the number is repeated, and nothing else is different."""

from __future__ import annotations

from collections.abc import Callable

import numpy
import pytest

from d2lhybrid import nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.ops.repeated import FEWEST, MANY, MIN_SIZE, MOST, repeated

SHAPES = [
    (MIN_SIZE,),
    (MIN_SIZE - 1,),
    (MOST,),
    (MOST + 1,),
    (64, 100),
    (3, 5, 7, 41),
    (5000, 3),
    (2, 70000),
    (1, 14, 14, 128),
]
ODD = [numpy.nan, numpy.inf, -numpy.inf, -0.0, 0.0, 1.0, -1.0, 1e-45]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_what_is_repeated_stretches_over_the_array(shape: tuple[int, ...], dtype: str) -> None:
    number = repeated(-1.5, shape, numpy.dtype(dtype))
    assert number.dtype == dtype and (number == -1.5).all()
    assert number.shape == shape[len(shape) - number.ndim :]
    assert number.shape == () or FEWEST <= number.size <= MOST
    assert number.shape == () or not number.flags.writeable


def test_it_stays_in_the_cache_where_the_last_axes_allow_it() -> None:
    kind = numpy.dtype("float32")
    assert repeated(0, (8, 14, 14, 128), kind).shape == (14, 128) and MANY >= 14 * 128
    assert repeated(0, (64, 5000), kind).shape == (5000,)
    assert repeated(0, (50000, 3), kind).shape == ()


def test_numbers_that_are_equal_are_not_mistaken_for_each_other() -> None:
    kinds = [numpy.dtype("float32"), numpy.dtype("float64")]
    numbers = [repeated(value, (MIN_SIZE,), kind) for kind in kinds for value in (0.0, -0.0)]
    assert [(n.dtype, bool(numpy.signbit(n[0]))) for n in numbers] == [
        (k, sign) for k in kinds for sign in (False, True)
    ]


def odd_array(shape: tuple[int, ...], dtype: str) -> numpy.ndarray:
    return numpy.resize(numpy.array(ODD, dtype), shape)


FUNCTIONS: dict[str, tuple[Callable, Callable]] = {
    "relu": (lambda F, x: F.relu(x), lambda x: numpy.maximum(x, 0)),
    "Activation": (lambda F, x: F.Activation(x, act_type="relu"), lambda x: numpy.maximum(x, 0)),
    "maximum": (lambda F, x: F.maximum(x, 0.5), lambda x: numpy.maximum(x, x.dtype.type(0.5))),
    "minimum": (lambda F, x: F.minimum(x, -0.5), lambda x: numpy.minimum(x, x.dtype.type(-0.5))),
    "of a chain": (lambda F, x: F.relu(x * 2) + x, lambda x: numpy.maximum(x * 2, 0) + x),
    "of a turned array": (lambda F, x: F.relu(F.transpose(x)), lambda x: numpy.maximum(x.T, 0)),
}


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")  # infinity - infinity
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("shape", [*SHAPES, (400, 400)], ids=str)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_it_is_numpys_maximum_down_to_the_sign_of_zero(name: str, shape: tuple[int, ...], dtype: str) -> None:
    ours, numpys = FUNCTIONS[name]
    x = odd_array(shape, dtype)
    wanted = numpys(x)
    array = nd.array(x, dtype=dtype)
    results = [ours(nd, array)]
    for flags in ({}, {"static_alloc": True, "static_shape": True}):
        net = nn.HybridLambda(ours)
        net.hybridize(**flags)
        results += [net(array), net(array)]
    for result in results:
        numpy.testing.assert_array_equal(result.asnumpy(), wanted)
        there = ~numpy.isnan(wanted)
        numpy.testing.assert_array_equal(numpy.signbit(result.asnumpy())[there], numpy.signbit(wanted)[there])
