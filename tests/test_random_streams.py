"""A seed means the same to a net before it is hybridized, after, and in its files."""

from __future__ import annotations

import numpy as np
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.gluon import nn


def _outputs_in_another_order(F, x, y):
    first = F.Dropout(y)
    return F.Dropout(x), first, F.sum(x) + F.random.uniform(shape=(1,))


def _numbers_that_nothing_leads_to(F, x, y):
    early, late = F.random.normal(shape=(2, 3)), F.Dropout(x)
    return late + early, F.Dropout(y)


def _loop(F, x, y):
    rows, _ = F.contrib.foreach(lambda row, state: (F.Dropout(row), state), F.Dropout(y), F.zeros((1,)))
    return F.Dropout(x), rows


def _loop_with_a_condition(F, x, y):
    return F.contrib.while_loop(
        lambda i, a: i < 3, lambda i, a: (F.Dropout(a), (i + 1, F.Dropout(a))), (F.zeros((1,)), x), max_iterations=4
    )[0], F.Dropout(y)


def _branch(F, x, y):
    chosen = F.contrib.cond(F.sum(x) > 0, lambda: F.Dropout(x), lambda: x)
    return F.Dropout(y), chosen


PROGRAMS = [_outputs_in_another_order, _numbers_that_nothing_leads_to, _loop, _loop_with_a_condition, _branch]


class _Net(gluon.HybridBlock):
    def __init__(self, program):
        super().__init__()
        self.program = program

    def hybrid_forward(self, F, x, y):
        return self.program(F, x, y)


def _run(net):
    """Return the outputs and the gradients of the inputs, drawn with one seed."""
    x, y = nd.ones((2, 3)), nd.ones((4, 5))
    mx.random.seed(7)
    for array in (x, y):
        array.attach_grad()
    with autograd.record():
        outputs = [array for part in net(x, y) for array in (part if isinstance(part, list | tuple) else [part])]
    autograd.backward(outputs)
    after = nd.random.uniform(shape=(3,))  # the stream goes on where it would have
    return [array.asnumpy() for array in (*outputs, x.grad, y.grad, after)]


@pytest.mark.parametrize("flags", [{}, {"static_alloc": True, "static_shape": True}], ids=["plain", "static"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_hybridized_net_draws_what_the_program_draws(program, flags):
    net = _Net(program)
    expected = _run(net)
    net.hybridize(**flags)
    for _ in range(2):
        for found, right in zip(_run(net), expected, strict=True):
            np.testing.assert_array_equal(found, right)


@pytest.mark.parametrize("program", PROGRAMS)
def test_files_keep_the_order_of_the_draws(program, tmp_path):
    net = _Net(program)
    expected = _run(net)
    net.hybridize()
    net(nd.ones((2, 3)), nd.ones((4, 5)))
    net.export(str(tmp_path / "net"))
    read = gluon.SymbolBlock.imports(str(tmp_path / "net-symbol.json"), ["data0", "data1"])
    for found, right in zip(_run(read)[:2], expected, strict=False):
        np.testing.assert_array_equal(found, right)


def test_a_layer_before_the_one_it_was_called_after():
    class Swapped(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.one, self.two = nn.Dropout(0.5), nn.Dropout(0.3)

        def hybrid_forward(self, F, x, y):
            late = self.two(y)
            return self.one(x), late

    net = Swapped()
    expected = _run(net)
    net.hybridize()
    for found, right in zip(_run(net), expected, strict=True):
        np.testing.assert_array_equal(found, right)
