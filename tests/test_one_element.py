"""Arrays of one element convert to Python numbers whatever NumPy there is, and are plain arrays in everything else."""

import copy
import io
import pickle
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import nd

LOSS = nd.array([1.0, 2.0])


@pytest.mark.parametrize(
    ("convert", "expected"),
    [
        (float, 1.5),
        (int, 1),
        (complex, 1.5 + 0j),
        (lambda a: "loss %f" % a, "loss 1.500000"),  # noqa: UP031  the line of those programs
        (lambda a: "%d %.1f" % (a, a), "1 1.5"),  # noqa: UP031
        (lambda a: round(float(a * 2 + 1), 2), 4.0),
        (lambda a: numpy.mean([float(a), float(a)]), 1.5),
    ],
)
@pytest.mark.parametrize("shape", [(1,), (1, 1), (1, 1, 1)])
def test_an_array_of_one_element_converts(shape, convert, expected):
    assert convert(LOSS.mean().reshape(shape).asnumpy()) == expected


def test_sums_of_losses_convert_too():
    total: Any = 0.0
    for _ in range(3):
        total += LOSS.sum().asnumpy()
    count = numpy.array([2])
    assert "%.2f" % (total / count) == "4.50"
    assert "%.2f" % sum(part.asnumpy() for part in [LOSS.mean(), LOSS.sum()]) == "4.50"  # noqa: UP031
    assert float(-total) == -9 and float(numpy.sqrt(total)) == 3 and float(total[:]) == 9 and float(total.T) == 9


def test_other_arrays_are_refused_as_numpy_refuses_them():
    array = LOSS.mean().asnumpy()
    for several in (array.repeat(2), array[[0, 0]], LOSS.asnumpy(), array[:0]):
        with pytest.raises(TypeError, match="only"):
            float(several)


def test_it_is_seen_nowhere_else():
    array, plain = LOSS.mean().asnumpy(), numpy.array([1.5], "float32")
    assert isinstance(array, numpy.ndarray)
    assert repr(array) == repr(plain) and str(array) == str(plain) and repr([array]) == repr([plain])
    assert pickle.dumps(array) == pickle.dumps(plain) and type(pickle.loads(pickle.dumps(array))) is numpy.ndarray
    assert type(array + numpy.ones(3)) is type(numpy.concatenate([array, array])) is numpy.ndarray
    assert type(numpy.array(array)) is type(numpy.asarray(array)) is type(numpy.stack([array])) is numpy.ndarray
    assert type(array.sum()) is type(array[0]) is type(numpy.add.reduce(array)) is numpy.float32
    assert type(array == plain) is not bool and (array == plain).all()
    assert float(copy.copy(array)) == float(copy.deepcopy(array)) == 1.5
    array += 1
    assert array.dtype == "float32" and float(array) == 2.5
    first, second = io.BytesIO(), io.BytesIO()
    numpy.save(first, LOSS.mean().asnumpy())
    numpy.save(second, plain)
    assert first.getvalue() == second.getvalue()


def test_arrays_of_the_package_hold_plain_arrays():
    array = LOSS.mean().asnumpy()
    arrays = [nd.array(array), nd.from_numpy(array.copy(), zero_copy=False), mx.np.array(array), nd.zeros(1)]
    arrays.append(nd.from_numpy(array))
    arrays[3][:] = array
    assert all(type(a._data) is numpy.ndarray for a in arrays)


def test_arrays_without_axes_and_of_several_elements_are_numpys_own():
    assert type(mx.np.array([1.0, 2.0]).mean().asnumpy()) is numpy.ndarray
    assert type(LOSS.asnumpy()) is numpy.ndarray
