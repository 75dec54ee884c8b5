"""A function line by line and hybridized, side by side."""

from __future__ import annotations

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import nd
from d2lhybrid.internals.pictures.both_ways import BothWays

X = nd.array([[1, 2, 3], [4, 5, 6]])


def corner(F, x):
    return x[0, 1]


def first_row(F, x):
    return x[0]


def twice(F, x):
    return x * 2


def wrong(F, x):
    return x * unknown  # noqa: F821


def test_what_fails_is_marked_at_its_line_and_explained():
    both = BothWays(corner, X)
    assert both.verdict == "The hybridized call fails." and both.lens.title.startswith("H06")
    assert both.to_dict()["results"][0] == ["line by line", "[2.]"]
    page = both.to_html()
    assert page.count("→") == 1 and page.index("→") < page.index("return x[0, 1]") < page.index("TypeError")


@pytest.mark.parametrize(("function", "verdict"), [(first_row, "Not the same!"), (twice, "The same in both ways.")])
def test_results_are_compared(function, verdict):
    both = BothWays(function, X)
    assert both.lens is None and both.verdict == verdict
    assert verdict in both.to_text() and verdict in both.to_html() and "→" not in both.to_html()
    assert "<script" not in both.to_html() and len(both.to_html()) < 3000


def test_an_error_that_has_nothing_to_do_with_it_is_told_all_the_same():
    both = BothWays(wrong, X)
    assert both.to_text().count("NameError") == 2 and both.verdict == "It fails."
    assert both.lens is None


def test_inputs_are_left_alone_and_the_words_are_translated():
    def add(F, x):
        x += 1
        return x

    x = nd.zeros((2,))
    BothWays(add, x)
    assert x.asnumpy().tolist() == [0, 0]
    with mx.config(lang="zh"):
        assert BothWays(first_row, X).verdict == "结果不同！"


def test_a_numpy_result_of_the_eager_call_is_shown():
    """In eager mode, NumPy reads the elements of an array, and returns a NumPy array."""
    both = BothWays(lambda F, x: numpy.exp(-x), nd.array([0.0]))
    (_, eager), (_, hybridized) = both.results
    assert isinstance(eager, numpy.ndarray) and eager == [1.0]
    assert isinstance(hybridized, ValueError) and both.lens is not None
    assert "F.exp(-x)" in both.lens.to_text()
