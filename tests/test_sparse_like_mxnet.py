"""What is stored of sparse arrays and gradients, and how optimizers use it: as recorded from MXNet 1.9.1."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd

from .interop import sparse_cases

RECORDED: dict[str, Any] = json.loads(Path(sparse_cases.FACTS).read_text())


def assert_alike(found: Any, expected: Any) -> None:
    """Compare two nested lists: numbers with fractions nearly, all else exactly."""
    if isinstance(expected, list) and isinstance(found, list):
        assert len(found) == len(expected), (found, expected)
        for one, other in zip(found, expected, strict=True):
            assert_alike(one, other)
    elif isinstance(expected, float) and isinstance(found, float):
        numpy.testing.assert_allclose(found, expected, rtol=3e-5, atol=3e-6)
    else:
        assert found == expected


@pytest.mark.filterwarnings(
    "ignore:Accumulating with float16", "ignore:divide by zero", "ignore:invalid value", "ignore:Parameter .* not used"
)
@pytest.mark.parametrize("name", sparse_cases.CASES)
def test_is_stored_and_updated_as_in_mxnet(name: str) -> None:
    assert_alike(sparse_cases.facts(mx, name), RECORDED[name])


def test_every_recorded_case_is_run() -> None:
    assert set(RECORDED) == set(sparse_cases.CASES)


# --- what MXNet has no counterpart of ----------------------------------------------------------------


class Masked(gluon.HybridBlock):
    """An embedding at computed places, some of which are masked, and a layer with a dense gradient."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.table = gluon.nn.Embedding(7, 4, sparse_grad=True)
            self.out = gluon.nn.Dense(3, flatten=False)

    def hybrid_forward(self, F: Any, x: Any, mask: Any) -> Any:
        return self.out(F.broadcast_mul(self.table(F.floor(x / 2)), F.expand_dims(mask, axis=-1)))


class Loop(gluon.HybridBlock):
    """Looks rows up in the body of a loop."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.table = gluon.nn.Embedding(7, 4, sparse_grad=True)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return F.contrib.foreach(lambda row, state: (self.table(row), state), x, F.zeros((1,)))[0]


def trained(count: int = 3, **form: Any) -> tuple[list[int], Any, Any]:
    """Train a net; return the rows of the last gradient, the table, and the other weight."""
    mx.random.seed(1)
    net = Masked()
    net.initialize(mx.init.Normal(0.5))
    x, mask = nd.array([[0, 3, 8], [5, 8, 12]]), nd.array([[1, 1, 0], [1, 0, 0]])
    net(x, mask)
    if form:
        net.hybridize(**form)
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.1, "wd": 0.1})
    for step in range(count):
        with autograd.record():
            loss = (net(x, mask if step else nd.ones((2, 3))) ** 2).sum()
        loss.backward()
        trainer.step(1)
    gradient: Any = net.table.weight.grad()
    return gradient.indices.asnumpy().tolist(), net.table.weight.data().asnumpy(), net.out.weight.data().asnumpy()


def assert_the_rows_are_those_of_eager_calls(**form: Any) -> None:
    """Train the net eagerly and hybridized with `form`; compare the rows and the weights."""
    eager, compiled = trained(), trained(**form)
    assert eager[0] == compiled[0] == [0, 1, 2, 4, 6]
    for one, other in zip(eager[1:], compiled[1:], strict=True):
        numpy.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("static", [False, True])
def test_a_hybridized_net_finds_the_rows_that_are_looked_up_at_computed_places(static: bool) -> None:
    assert_the_rows_are_those_of_eager_calls(static_alloc=static, static_shape=static)


def test_gradients_that_are_added_hold_the_rows_of_all_passes() -> None:
    for hybridized in (False, True):
        net = gluon.nn.Embedding(5, 2, sparse_grad=True)
        net.initialize()
        net.weight.grad_req = "add"
        if hybridized:
            net.hybridize()
        for indices in ([3, 1], [4], [1]):
            with autograd.record():
                loss = (net(nd.array(indices)) * (indices == [4])).sum()
            loss.backward()
        gradient: Any = net.weight.grad()
        assert gradient.indices.asnumpy().tolist() == [1, 3, 4]
        assert gradient.asnumpy()[:, 0].tolist() == [0, 0, 0, 0, 1]
        net.weight.zero_grad()
        assert gradient.indices.asnumpy().tolist() == []


def test_a_loop_in_a_hybridized_net_finds_the_rows_of_all_its_steps() -> None:
    found = []
    for hybridized in (False, True):
        net = Loop()
        net.initialize()
        if hybridized:
            net.hybridize()
        with autograd.record():
            loss = (net(nd.array([[3, 1], [2, 2], [5, 1]])) * 0).sum()
        loss.backward()
        gradient: Any = net.table.weight.grad()
        found.append(gradient.indices.asnumpy().tolist())
    assert found == [[1, 2, 3, 5], [1, 2, 3, 5]]


def test_states_of_rows_are_read_as_they_were_written(tmp_path: Path) -> None:
    state = nd.sparse.row_sparse_array(([[0, 0], [1, 2]], [1, 3]), shape=(4, 2))
    updater = mx.optimizer.get_updater(mx.optimizer.SGD(momentum=0.9))
    updater.states = {0: state}
    other = mx.optimizer.get_updater(mx.optimizer.SGD(momentum=0.9))
    other.set_states(updater.get_states())
    assert other.states[0].indices.asnumpy().tolist() == [1, 3]


def test_gradients_are_scaled_in_place_with_the_rows_that_they_have() -> None:
    rows = nd.sparse.row_sparse_array(([[0, 0], [1, 2]], [1, 3]), shape=(4, 2))
    rows[:] *= 2
    rows[:] = rows
    assert rows.indices.asnumpy().tolist() == [1, 3] and rows.asnumpy().sum() == 6


def test_what_is_written_beside_the_rows_is_not_lost() -> None:
    rows = nd.sparse.row_sparse_array(([[0, 0]], [3]), shape=(5, 2))
    rows._data[1] = 2  # by somebody who does not know of rows
    assert rows.indices.asnumpy().tolist() == [1, 3]
    matrix = nd.sparse.csr_matrix(([0.0], [1], [0, 1, 1]), shape=(2, 3))
    matrix._data[1, 2] = 2
    assert [part.asnumpy().tolist() for part in (matrix.indptr, matrix.indices)] == [[0, 1, 2], [1, 2]]


def test_an_error_beyond_the_rows_says_what_to_do() -> None:
    net = gluon.nn.Embedding(3, 2, sparse_grad=True)
    net.initialize()
    with autograd.record():
        loss = net(nd.array([1, 3])).sum()
    with pytest.raises(mx.MXNetError, match="Embedding input contains data out of bound") as caught:
        loss.backward()
    assert "rows 0 to 2, but the lookup requested row 3." in caught.value.__notes__[0]
    with pytest.raises(mx.base.NotSupportedForSparseNDArray) as caught:
        nd.ones((2, 3)).tostype("csr").reshape((6,))
    assert "tostype('default').reshape" in caught.value.__notes__[0]


@pytest.mark.parametrize("hybridize", [False, True])
def test_rows_that_do_not_exist_are_no_error_where_no_gradient_arrives(hybridize: bool) -> None:
    class Net(gluon.HybridBlock):
        def __init__(self, **kwargs: Any) -> None:
            super().__init__(**kwargs)
            self.table = gluon.nn.Embedding(4, 3, sparse_grad=True)

        def hybrid_forward(self, F: Any, x: Any, i: Any) -> Any:
            return x * 2, self.table(i)

    net = Net()
    net.initialize()
    net.hybridize(hybridize)
    x = nd.ones((2,))
    x.attach_grad()
    for _ in range(3):
        with autograd.record():
            y, _ = net(x, nd.array([-1, 7]))
        y.backward()
        assert x.grad.asnumpy().tolist() == [2, 2] and net.table.weight.grad().indices.shape == (0,)
