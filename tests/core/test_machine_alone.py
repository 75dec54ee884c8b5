"""The machine with nothing plugged in that makes it fast: it computes the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.core import backends, parallel, pipeline, promotion, tape

from ..compiler.networks import FOR_PASSES, NETWORKS, make

OWN_PASSES = ["simplify", "fold constants", "merge equal", "simplify again", "remove dead"]


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    own = [(name, run) for name, run in pipeline.PASSES if name in OWN_PASSES]
    monkeypatch.setattr(pipeline, "PASSES", own)
    monkeypatch.setattr(pipeline, "FORWARD_PASSES", [])
    monkeypatch.setattr(pipeline, "INFERENCE_PASSES", [])
    monkeypatch.setattr(tape, "store", tape.store_by_copy)
    monkeypatch.setattr(parallel, "threads", parallel.Unlimited())
    monkeypatch.setattr(promotion, "promoter", promotion._nobody)
    monkeypatch.setattr(backends, "_used", {})
    monkeypatch.setitem(backends.BACKENDS, "numpy", backends.Backend)
    backends.get_backend.cache_clear()
    yield
    backends.get_backend.cache_clear()


def flat(value: Any) -> list[Any]:
    return [v for part in value for v in flat(part)] if isinstance(value, list | tuple) else [value]


def two_steps(name: str, hybridize: bool) -> list[Any]:
    """Return all that two steps of training and a prediction leave behind, as arrays of NumPy."""
    net, inputs = make(name)
    if hybridize:
        net.hybridize()
    left = []
    for x in inputs:
        x.attach_grad()
    for _ in range(2):
        with autograd.record():
            outputs = flat(net(*inputs))
            loss: Any = sum((y * y).sum() for y in outputs)
        loss.backward()
        left += [y.asnumpy() for y in outputs] + [x.grad.asnumpy() for x in inputs]
        for p in net.collect_params().values():
            left.append(p.data().asnumpy())
            if p.grad_req != "null":
                left.append(p.grad().asnumpy())
                p.data()[:] -= 0.1 * p.grad()
    return left + [y.asnumpy() for y in flat(net(*inputs))]


@pytest.mark.parametrize("name", [name for name in [*NETWORKS, *FOR_PASSES] if name != "large"])
def test_a_hybridized_net_is_trained_as_the_imperative_one(name: str) -> None:
    for eager, hybrid in zip(two_steps(name, False), two_steps(name, True), strict=True):
        numpy.testing.assert_allclose(hybrid, eager, rtol=1e-4, atol=1e-6)


def test_a_program_has_a_line_a_node_with_its_type_and_the_numbers_that_were_traced() -> None:
    net: Any = nn.HybridLambda(
        lambda F, x: F.clip(F.FullyConnected(x, F.ones((4, 3)), None, num_hidden=4, no_bias=True), -1, 1)
    )
    net.hybridize()
    net(nd.ones((2, 3)))
    [program] = net._cached_op.programs.values()
    head, dense, clipped, owned, result = program.source.splitlines()
    assert head.startswith("def forward(") and result.split() == ["return", "output,"]
    assert "= FullyConnected(" in dense and dense.endswith("  # float32[2,4], num_hidden = 4")
    assert "clip(" in clipped and clipped.endswith("# float32[2,4], a_min = -1, a_max = 1") and "own_memory(" in owned
    assert [node and node.op.name for _, node in sorted(program.forward.line_nodes.items())] == [
        "FullyConnected",
        "clip",
    ]


@pytest.mark.parametrize(("req", "after"), [("write", [[3, 3], [0, 0]]), ("add", [[8, 8], [5, 5]]), ("null", None)])
def test_a_gradient_is_stored_as_its_array_asks(req: str, after: Any) -> None:
    x, blocked = nd.ones((2,)), nd.ones((2,))
    for array in (x, blocked):
        array.attach_grad(req)
        if req != "null":
            array.grad[:] = 5
    with autograd.record():
        y = x * 3 + nd.BlockGrad(blocked)
    if req == "null":
        with pytest.raises(mx.MXNetError):
            y.backward()
    else:
        y.backward()
        assert [array.grad.asnumpy().tolist() for array in (x, blocked)] == after


def test_nobody_counts_threads_or_calls() -> None:
    threads = parallel.threads
    assert not threads.crowded() and not threads.worth_dividing([numpy.ones((1000, 1000))])
    for call in (threads.run, threads.limited):
        assert call(lambda *args, **kwargs: (args, kwargs), 1, b=2) == ((1,), {"b": 2})
    with threads.brake.one_for_children():
        threads.brake.use_one()
    net: Any = nn.Dense(2)
    net.initialize()
    net.hybridize()
    for _ in range(300):
        net(nd.ones((1, 2)))
    [program] = net._cached_op.programs.values()
    assert program.promotion is None and program.tier == 0 and not program.forward.threaded
    assert backends.used_backends() == [backends.get_backend("numpy")]
