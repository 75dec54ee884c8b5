"""``mx.test_utils``: what its checks accept and what they say is what MXNet's accept and say."""

import contextlib
import inspect
import io
import json
import warnings

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import test_utils

from .interop import check_cases

with open(check_cases.FACTS, encoding="utf-8") as _stream:
    FACTS = json.load(_stream)

#: Where the message is another one, on purpose.
CLEARER = {
    "numeric: no request": "says which requests there are",
    "backward: no request": "says which requests there are",
    "speed: no shapes": "says which shapes are missing, where MXNet prints a traceback",
}


@pytest.fixture(scope="module")
def found():
    with (
        contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings()
    ):  # fmt: skip
        warnings.simplefilter("ignore")
        return check_cases.results(mx)


@pytest.mark.parametrize("name", FACTS)
def test_a_check_does_what_mxnets_does(found, name):
    if name in CLEARER:
        assert "passes" not in (found[name], FACTS[name]), CLEARER[name]
        assert found[name] != FACTS[name], "it is not another one any more"
    else:
        assert found[name] == FACTS[name]


def test_all_cases_are_recorded(found):
    assert list(found) == list(FACTS)
    assert sum(outcome == "passes" for outcome in FACTS.values()) > 40 < sum(o != "passes" for o in FACTS.values())


def test_every_public_function_is_documented():
    for name in test_utils.__all__:
        text = inspect.getdoc(getattr(test_utils, name))
        assert text and "Examples" in text, name


def test_what_differs_is_printed_and_counted_as_by_mxnet(capsys):
    a, b = numpy.zeros(20), numpy.arange(20.0)
    with pytest.raises(AssertionError) as caught:
        test_utils.assert_almost_equal(a, b, rtol=0.1, atol=0.5, mismatches=(2, 5))
    printed = capsys.readouterr().out.split("\n")
    assert printed[1] == "*** Maximum errors for vector of size 20:  rtol=0.1, atol=0.5"
    assert printed[3] == "  1: Error 7.916667  Location of error: (19,), a=0.00000000, b=19.00000000"
    assert len(printed) == 6  # two differences, and the ends of lines
    assert "(mismatch at least 30.000000%)" in str(caught.value)


def test_the_options_of_numpys_printing_stay_as_they_are():
    before = numpy.get_printoptions()
    with pytest.raises(AssertionError):
        test_utils.assert_almost_equal(numpy.zeros(9), numpy.ones(9))
    assert numpy.get_printoptions() == before


def test_a_wrong_gradient_is_found_where_it_is():
    @mx.operator.register("half_wrong")
    class Prop(mx.operator.CustomOpProp):
        def create_operator(self, ctx, in_shapes, in_dtypes):
            return Op()

    class Op(mx.operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            self.assign(out_data[0], req[0], in_data[0] ** 2)

        def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
            gradient = 2 * in_data[0] * out_grad[0]
            gradient[1] = 0
            self.assign(in_grad[0], req[0], gradient)

    with pytest.raises(AssertionError, match=r"Location of maximum error: \(1,\), NUMERICAL_x=.*, BACKWARD_x=0\.0+"):
        test_utils.check_numeric_gradient(mx.sym.Custom(mx.sym.var("x"), op_type="half_wrong"), [numpy.ones(3)])


def test_a_net_that_python_decides_in_is_found():
    class Counting(mx.gluon.HybridBlock):
        calls = 0

        def hybrid_forward(self, F, x):
            Counting.calls += 1
            return x * Counting.calls

    with pytest.raises(AssertionError):
        test_utils.check_gluon_hybridize_consistency(lambda prefix: Counting(prefix=prefix), [mx.np.ones((2,))])


def test_random_arrays_are_stored_as_they_are_asked_for():
    x, (values, rows) = test_utils.rand_sparse_ndarray((9, 4), "row_sparse", density=0.5)
    numpy.testing.assert_array_equal(x.asnumpy()[rows], values)
    x, (pointers, columns, values) = test_utils.rand_sparse_ndarray((9, 4), "csr", density=0.5)
    assert len(columns) == len(values) == 18 == pointers.asnumpy()[-1]
    x, _ = test_utils.rand_sparse_ndarray((5, 16), "csr", density=0.5, distribution="powerlaw")
    counts = (x.asnumpy() != 0).sum(axis=1)
    assert counts.tolist() == [2, 4, 8, 16, 10]
