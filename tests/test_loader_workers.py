"""Workers of a loader: how many make items at once, and that they end when nobody waits for them."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import nd
from d2lhybrid.gluon import data
from d2lhybrid.gluon.data import concurrency_limit

Speed = Callable[[int], float]
NOW = 1000.0


class Counting(data.Dataset[Any]):
    """Items that take a while, and how many were made at once."""

    def __init__(self, length: int, seconds: float) -> None:
        self.length, self.seconds = length, seconds
        self.made = self.now = self.most = 0
        self.lock = threading.Lock()

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, idx: int) -> int:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(self.seconds)
        with self.lock:
            self.now -= 1
            self.made += 1
        return idx


def settled(monkeypatch: pytest.MonkeyPatch, workers: int, rate: Speed) -> concurrency_limit.Turns:
    """Return the turns of workers, of which so many at once make so many items a second."""
    monkeypatch.setattr(concurrency_limit, "affinity", lambda: 2)
    found = concurrency_limit.Turns(workers)
    learn(found, rate, 1.0)
    return found


def learn(found: concurrency_limit.Turns, rate: Speed, seconds: float) -> None:
    """Let them work for some seconds, all the time."""
    for _ in range(int(seconds / 0.002)):
        found._working = found.limit
        found._made += round(rate(found.limit) * 0.002)
        found._since -= 0.002
        found._look(NOW, 0.0)


@pytest.mark.parametrize(
    ("rate", "limit"),
    [
        (lambda working: 90_000 / working**0.5, 1),  # they take the interpreter from each other
        (lambda working: 90_000.0, 1),  # a loop of Python
        (lambda working: 90_000.0 * min(working, 2), 2),  # large operations on two processors
        (lambda working: 90_000.0 * working, 4),  # they wait for a disk
    ],
)
def test_as_many_workers_as_are_fastest(monkeypatch: pytest.MonkeyPatch, rate: Speed, limit: int) -> None:
    assert settled(monkeypatch, 4, rate).limit == limit


def test_it_is_measured_again(monkeypatch: pytest.MonkeyPatch) -> None:
    found = settled(monkeypatch, 2, lambda working: 90_000.0)
    assert found.limit == 1
    learn(found, lambda working: 90_000.0 * working, 8.0)
    assert found.limit == 2


def test_what_others_did_to_the_machine_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    speeds = iter([*[90_000.0] * 9, *[1000.0] * 9] * 2)
    assert settled(monkeypatch, 2, lambda working: next(speeds, 90_000.0)).limit == 1


@pytest.mark.parametrize("limit", [1, 2])
def test_no_more_workers_than_may(monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    monkeypatch.setattr(concurrency_limit, "_PATIENCE", 60.0)  # on a busy machine, any item may be a long one
    dataset = Counting(64, 0.001)
    loader = data.DataLoader(dataset, 8, num_workers=4, thread_pool=True)
    loader._turns._decide(limit, 100.0)
    assert [batch.asnumpy().tolist() for batch in loader] == numpy.arange(64).reshape(8, 8).tolist()
    assert dataset.most == limit


def test_workers_that_wait_wait_together() -> None:
    dataset = Counting(800, 0.002)
    loader = data.DataLoader(dataset, 8, num_workers=4, thread_pool=True)
    assert sum(len(batch) for batch in loader) == 800
    assert loader._turns.limit == dataset.most == 4


def test_items_that_wait_for_each_other() -> None:
    both = threading.Barrier(2)
    dataset = data.SimpleDataset(list(range(8))).transform(lambda x: (both.wait(10), x)[1])
    loader = data.DataLoader(dataset, 1, num_workers=2, thread_pool=True)
    assert [batch.asscalar() for batch in loader] == list(range(8))


def test_a_loader_within_a_loader() -> None:
    inner = data.DataLoader(data.SimpleDataset([1, 2, 3]).transform(lambda x: x + 1), 1, num_workers=2)
    dataset = data.SimpleDataset([0, 10]).transform(lambda x: x + sum(batch.asscalar() for batch in inner))
    assert [batch.asscalar() for batch in data.DataLoader(dataset, 1, num_workers=2)] == [9, 19]


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_an_end_in_the_middle_ends_the_workers(workers: int) -> None:
    dataset = Counting(4000, 0.004)
    batches = iter(data.DataLoader(dataset, 100, num_workers=workers, prefetch=40, thread_pool=True))
    next(batches)
    batches.close()  # type: ignore[attr-defined]
    time.sleep(0.2)
    made = dataset.made
    time.sleep(0.2)
    assert dataset.made == made < 4000


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_an_error_of_one_worker_ends_all(workers: int) -> None:
    def check(x: int) -> int:
        if x == 21:
            raise KeyError(f"no item {x}")
        return x

    loader = data.DataLoader(data.SimpleDataset(list(range(64))).transform(check), 4, num_workers=workers)
    seen = []
    with pytest.raises(KeyError, match="no item 21"):
        seen.extend(batch.asnumpy().tolist() for batch in loader)
    assert seen == numpy.arange(20).reshape(5, 4).tolist()
    with pytest.raises(KeyError, match="no item 21"):  # and the loader can be used again
        list(loader)


def test_ctrl_c_ends_the_program() -> None:
    program = (
        "import time\nfrom d2lhybrid.gluon import data\n"
        "items = data.SimpleDataset(list(range(4000))).transform(lambda x: time.sleep(0.01) or x)\n"
        "for batch in data.DataLoader(items, 100, num_workers=4):\n    print('batch', flush=True)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "batch\n"
    process.send_signal(signal.SIGINT)
    start = time.monotonic()
    _, errors = process.communicate(timeout=60)
    assert time.monotonic() - start < 20
    assert errors.rstrip().endswith("KeyboardInterrupt")
    assert process.returncode != 0


def same(left: Any, right: Any) -> None:
    if isinstance(left, list | tuple):
        assert type(left) is type(right) and len(left) == len(right)
        for one, other in zip(left, right, strict=True):
            same(one, other)
    else:
        assert type(left) is type(right) and left.dtype == right.dtype
        numpy.testing.assert_array_equal(left.asnumpy(), right.asnumpy())


class Own(data.Dataset[Any]):
    """A data set of a user's."""

    def __len__(self) -> int:
        return 23

    def __getitem__(self, idx: int) -> Any:
        return numpy.full((3, 2), idx, "float32"), (idx, nd.full((2,), idx))


IMAGES = nd.array(numpy.arange(23 * 8 * 8 * 3).reshape(23, 8, 8, 3) % 256, dtype="uint8")


@pytest.mark.parametrize("thread_pool", [False, True])
@pytest.mark.parametrize(
    "dataset",
    [
        data.ArrayDataset(IMAGES, list(range(23))).transform_first(lambda x: x.transpose((2, 0, 1)) / 255),
        data.ArrayDataset(IMAGES, list(range(23))).transform(lambda x, y: (x.astype("float32") - y, y, y * 0.5)),
        data.ArrayDataset(IMAGES).transform(lambda x: x.asnumpy()[::-1]),
        data.ArrayDataset(IMAGES.as_np_ndarray()).transform(lambda x: (x.astype("float32") / 255 - 0.5) * 2),
        Own(),
        numpy.arange(46).reshape(23, 2),
        range(23),
    ],
    ids=["image", "both", "numpy", "np", "own", "array", "range"],
)
def test_batches_and_their_order_are_the_same_with_workers(dataset: Sequence[Any], thread_pool: bool) -> None:
    expected = list(data.DataLoader(dataset, 4))
    assert len(expected) == 6
    for workers in (1, 2, 4):
        loader = data.DataLoader(dataset, 4, num_workers=workers, thread_pool=thread_pool)
        for _ in range(2):
            same(list(loader), expected)


def test_workers_draw_different_random_numbers() -> None:
    mx.random.seed(1)
    dataset = data.SimpleDataset(list(range(64))).transform(lambda x: nd.random.uniform(shape=(4,)))
    drawn = numpy.concatenate([batch.asnumpy() for batch in data.DataLoader(dataset, 4, num_workers=4)])
    assert len(numpy.unique(drawn)) == drawn.size
