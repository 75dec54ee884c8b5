"""The examples in the operators' documentation run and print what they say."""

from __future__ import annotations

import doctest

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd, sym
from d2lhybrid.internals.core.operator import Operator, all_operators

WITH_EXAMPLES = [op for op in all_operators() if op.__doc__ and ">>>" in op.__doc__]


@pytest.mark.parametrize("op", WITH_EXAMPLES, ids=lambda op: op.name)
def test_the_examples_of_an_operator_run(op: Operator) -> None:
    names = {"mx": mx, "nd": nd, "sym": sym, "autograd": autograd, "gluon": gluon, "numpy": numpy}
    test = doctest.DocTestParser().get_doctest(op.__doc__ or "", names, op.name, op.kernel.__code__.co_filename, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    lines: list[str] = []
    runner.run(test, out=lines.append)
    assert not runner.summarize(verbose=False).failed, "".join(lines)
