"""``rand_zipfian``: classes by Zipf's law, with MXNet's types and expected counts, for arrays and symbols."""

import math

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, nd, sym


def counts(classes: numpy.ndarray, drawn: int, range_max: int) -> numpy.ndarray:
    return drawn * numpy.log((classes + 2) / (classes + 1)) / math.log(range_max + 1)


def test_expected_counts_are_those_of_the_law() -> None:
    true = numpy.array([3, 0, 99])
    samples, of_true, of_samples = nd.contrib.rand_zipfian(nd.array(true), 50, 100)
    assert samples.dtype == numpy.int64 and samples.shape == (50,)
    assert of_true.dtype == of_samples.dtype == numpy.float64
    numpy.testing.assert_allclose(of_true.asnumpy(), counts(true, 50, 100))
    numpy.testing.assert_allclose(of_samples.asnumpy(), counts(samples.asnumpy(), 50, 100))


def test_classes_come_as_often_as_expected() -> None:
    mx.random.seed(3)
    samples, _, _ = nd.contrib.rand_zipfian(nd.array([0]), 40000, 8)
    found = numpy.bincount(samples.asnumpy(), minlength=8)
    assert len(found) == 8
    expected = counts(numpy.arange(8), 40000, 8)
    assert (abs(found - expected) < 5 * numpy.sqrt(expected)).all()


def test_a_seed_repeats_them_and_one_class_is_always_0() -> None:
    draws = []
    for _ in range(2):
        mx.random.seed(5)
        draws.append(nd.contrib.rand_zipfian(nd.array([0]), 20, 1000)[0].asnumpy())
    assert (draws[0] == draws[1]).all() and draws[0].any()
    assert not nd.contrib.rand_zipfian(nd.array([0]), 20, 1)[0].asnumpy().any()


def test_symbols_draw_anew_at_each_call() -> None:
    three = sym.contrib.rand_zipfian(sym.var("true"), 20, 1000)
    first, second = (sym.Group(list(three)).eval(true=nd.array([3, 0])) for _ in range(2))
    assert (first[0].asnumpy() != second[0].asnumpy()).any()
    assert [r.dtype.__name__ for r in first] == ["int64", "float64", "float64"]
    numpy.testing.assert_allclose(first[1].asnumpy(), counts(numpy.array([3, 0]), 20, 1000))
    numpy.testing.assert_allclose(first[2].asnumpy(), counts(first[0].asnumpy(), 20, 1000))


def test_a_net_draws_them_hybridized_too() -> None:
    class Candidates(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return F.contrib.rand_zipfian(x, 20, 1000)

    net, found = Candidates(), []
    for hybrid in (False, True):
        net.hybridize(hybrid)
        mx.random.seed(7)
        found.append([r.asnumpy() for r in net(nd.array([1, 2]))])
    for one, other in zip(*found, strict=True):
        numpy.testing.assert_array_equal(one, other)


def test_other_things_are_refused() -> None:
    with pytest.raises(ValueError, match="must be at least 1, not 0"):
        nd.contrib.rand_zipfian(nd.array([0]), 3, 0)
    with pytest.raises(AssertionError, match="unexpected type"):
        sym.contrib.rand_zipfian(nd.array([0]), 3, 4)  # type: ignore[arg-type]
