"""What members of classes do that few programs ask for."""

import logging
import time
from pathlib import Path

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, nd, sym


class Noted(gluon.data.Dataset):
    """Numbers, and which of them were asked for."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __len__(self) -> int:
        return 5

    def __getitem__(self, i: int) -> float:
        self.asked.append(i)
        return float(i)


BATCHES = [[0.0, 1.0], [2.0, 3.0], [4.0]]


def values(loader: gluon.data.DataLoader) -> list[list[float]]:
    return [batch.asnumpy().tolist() for batch in loader]


def wait_for(data: Noted, count: int) -> None:
    end = time.monotonic() + 20
    while len(data.asked) < count and time.monotonic() < end:
        time.sleep(0.01)


def test_a_loader_begins_its_epoch_when_it_is_refreshed() -> None:
    data = Noted()
    loader = gluon.data.DataLoader(data, 2, num_workers=1, thread_pool=True)
    assert not data.asked
    loader.refresh()
    wait_for(data, 4)
    assert sorted(data.asked)[:4] == [0, 1, 2, 3]
    assert values(loader) == BATCHES and values(loader) == BATCHES


def test_a_loader_that_is_cleaned_begins_anew() -> None:
    data = Noted()
    loader = gluon.data.DataLoader(data, 2)
    loader.refresh()
    assert not data.asked  # without workers nothing is made ahead
    loader.clean()
    assert values(loader) == BATCHES


def test_a_loader_reloads_by_itself() -> None:
    data = Noted()
    loader = gluon.data.DataLoader(data, 2, num_workers=1, thread_pool=True, auto_reload=True)
    wait_for(data, 4)
    assert data.asked and values(loader) == BATCHES
    wait_for(data, 9)
    assert len(data.asked) >= 9 and values(loader) == BATCHES


def test_two_loops_over_one_loader_do_not_share_what_was_begun() -> None:
    loader = gluon.data.DataLoader(Noted(), 2)
    loader.refresh()
    first, second = iter(loader), iter(loader)
    assert next(first).asnumpy().tolist() == next(second).asnumpy().tolist() == BATCHES[0]


def test_an_iterator_that_skips_loading_gives_its_first_batch_without_end(tmp_path: Path, caplog) -> None:
    (tmp_path / "a.csv").write_text("1\n2\n3\n4\n")
    iterator = mx.io.CSVIter(data_csv=str(tmp_path / "a.csv"), data_shape=(1,), batch_size=2)
    assert len([*iterator]) == 2
    with caplog.at_level(logging.INFO):
        iterator.debug_skip_load()
    assert "first batch" in caplog.text
    for _ in range(2):
        iterator.reset()
        assert [iterator.next().data[0].asnumpy().ravel().tolist() for _ in range(4)] == [[1.0, 2.0]] * 4


def test_the_sums_of_pcc_follow_its_tables() -> None:
    metric = mx.metric.PCC()
    metric.update([nd.array([0, 1, 1, 2])], [nd.array([[0.9, 0.1, 0], [0.2, 0.7, 0.1], [0.5, 0.3, 0.2], [0, 0, 1]])])
    assert metric.sum_metric == metric.global_sum_metric == pytest.approx(0.7)
    assert metric.get() == ("pcc", pytest.approx(0.7))
    metric.reset_local()
    assert numpy.isnan(metric.get()[1]) and metric.get_global()[1] == pytest.approx(0.7)


@pytest.mark.parametrize(("average", "found"), [("macro", 0.909665529), ("micro", 0.942328914)])  # as in MXNet
def test_the_correlation_of_large_numbers_keeps_its_digits(average: str, found: float) -> None:
    metric, rng = mx.metric.PearsonCorrelation(average=average), numpy.random.RandomState(0)
    for _ in range(3):
        label = rng.rand(4, 2) + 1e3
        metric.update([nd.array(label, dtype="float64")], [nd.array(label + rng.rand(4, 2) * 0.3, dtype="float64")])
    assert metric.get()[1] == pytest.approx(found, abs=1e-9)
    assert metric.get_global()[1] == pytest.approx(found, abs=1e-9)
    metric.reset_local()
    assert numpy.isnan(metric.get()[1]) and not numpy.isnan(metric.get_global()[1])


def test_the_pieces_of_a_correlation() -> None:
    metric = mx.metric.PearsonCorrelation(average="micro")
    assert metric.update_variance(numpy.array([1.0, 3.0]), 2, 1.0, 4.0) == (4, 1.5, 7.0)
    metric.update([nd.array([[1], [2], [4]])], [nd.array([[1], [3], [2]])])
    assert not numpy.isnan(metric.get()[1])
    metric.reset_micro()
    assert numpy.isnan(metric.get()[1])


def test_the_parameters_of_a_symbol_block_move() -> None:
    x = sym.var("x", dtype="float32")
    net = gluon.SymbolBlock(sym.FullyConnected(x, num_hidden=1, name="fc"), x)
    net.initialize()
    net(nd.ones((1, 2)))
    net.reset_ctx([mx.cpu(0), mx.cpu(1)])
    assert net.collect_params()["fc_weight"].list_ctx() == [mx.cpu(0), mx.cpu(1)]
    assert net(nd.ones((1, 2), ctx=mx.cpu(1))).context == mx.cpu(1)


def test_archives_are_known_by_name() -> None:
    embeddings = mx.contrib.text.embedding
    assert "glove.6B.zip" in embeddings.GloVe.pretrained_archive_name_sha1
    assert len(embeddings.FastText.pretrained_archive_name_sha1) == 327


def test_a_row_of_cells_has_no_hybrid_forward() -> None:
    with pytest.raises(NotImplementedError):
        gluon.rnn.SequentialRNNCell().hybrid_forward(1)
