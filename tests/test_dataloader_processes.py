"""Workers of a loader that are processes: what they send, how they end, and what they draw."""

from __future__ import annotations

import contextlib
import importlib
import math
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.gluon import data, nn
from d2lhybrid.gluon.data import messages, processes
from d2lhybrid.internals.compiler import onednn
from d2lhybrid.internals.support.machine import can_fork

pytestmark = pytest.mark.skipif(not can_fork(), reason="workers are threads here")

#: Seconds after which something hangs. On a busy machine, a process may have to wait for long until it can begin.
FOREVER = 600
FORK = multiprocessing.get_context("fork")


def of(function: Callable[[int], Any], length: int = 12) -> Any:
    """Return a data set whose items a function makes of their numbers."""
    return data.SimpleDataset(list(range(length))).transform(function)


def as_it_is(items: list[Any]) -> Any:
    return items


def numbers(batch: Any) -> Any:
    return batch.asnumpy().tolist()


def open_files() -> int:
    """Return how many sockets, and pieces of a loader's memory, are open."""
    found = 0
    for file in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            found += file.readlink().name.startswith(("socket:", "memfd:d2lhybrid"))
    return found


def children() -> set[int]:
    """Return the processes that this one has started, and that are there still, be they dead."""
    found = set[int]()
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parent = int(file.read_text().rpartition(")")[2].split()[1])
            found |= {int(file.parent.name)} if parent == os.getpid() else set()
    return found


@pytest.fixture(autouse=True)
def no_worker_is_hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that ends takes as long as it needs, be the machine as busy as it may."""
    monkeypatch.setattr(processes, "_GRACE", FOREVER)


@pytest.fixture(autouse=True)
def no_child_is_left() -> Iterator[None]:
    open_before, children_before = open_files(), children()  # other tests have a browser, say
    yield
    assert children() <= children_before
    assert open_files() == open_before


# --- who makes a batch ---


def at_once(count: int) -> Callable[[int], int]:
    """Return a function that sleeps until as many processes call it, and returns the number of its process."""
    barrier = FORK.Barrier(count)
    return lambda x: barrier.wait(FOREVER) * 0 + os.getpid()


@pytest.mark.parametrize("processors", [1, 2, 4])
def test_a_function_of_the_users_is_called_in_as_many_processes_as_asked_for(
    processors: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mx.compiler.threads.brake, "limit", processors)
    loader = data.DataLoader(of(at_once(3)), 1, num_workers=3)  # more than processors, because they sleep
    pids = {batch.asscalar() for batch in loader}
    assert len(pids) == 3 and os.getpid() not in pids
    assert not pids & {batch.asscalar() for batch in loader}  # fresh ones in each epoch


def test_threads_are_there_for_whoever_asks() -> None:
    loader = data.DataLoader(of(lambda x: os.getpid()), 1, num_workers=2, thread_pool=True)
    assert {batch.asscalar() for batch in loader} == {os.getpid()}


IMAGES = nd.zeros((8, 6, 6, 3), dtype="uint8")
STEPS = gluon.data.vision.transforms


@pytest.mark.parametrize(
    ("dataset", "vectorised"),
    [
        ([1, 2, 3], True),
        (numpy.zeros((8, 2)), True),
        (nd.zeros((8, 2)), True),
        (data.SimpleDataset([1, 2]), True),
        (data.ArrayDataset(IMAGES, list(range(8))), True),
        (data.ArrayDataset(IMAGES, list(range(8))).take(4).shard(2, 0), True),
        (data.ArrayDataset(IMAGES, list(range(8))).transform_first(STEPS.ToTensor()), True),
        (data.ArrayDataset(list(IMAGES)).transform(STEPS.ToTensor()), True),
        (data.ArrayDataset(nd.zeros((8, 5)), list(range(8))).transform_first(STEPS.Cast("float16")), False),
        (data.ArrayDataset(IMAGES, list(range(8))).transform_first(STEPS.RandomFlipLeftRight()), False),
        (data.ArrayDataset(IMAGES).transform(lambda x: x).transform(STEPS.ToTensor()), False),
        (data.ArrayDataset(data.SimpleDataset([1, 2]).transform(abs), [1, 2]), False),
        (of(abs), False),
    ],
)
def test_batches_that_are_cut_out_of_arrays_are_made_here(dataset: Any, vectorised: bool) -> None:
    loader = data.DataLoader(dataset, 2, num_workers=1)
    assert loader._is_made_by_arrays() is vectorised
    if isinstance(dataset, data.Dataset) and type(dataset) is not data.SimpleDataset:
        assert (dataset._take_batch([0, 1]) is not None) >= vectorised
    assert not data.DataLoader(dataset, 2, num_workers=1, batchify_fn=as_it_is)._is_made_by_arrays()


def test_a_worker_that_loads_data_itself_has_threads() -> None:
    inner = data.DataLoader(of(lambda x: os.getpid(), 4), 1, num_workers=2)
    dataset = of(lambda x: (os.getpid(), *{batch.asscalar() for batch in inner}), 2)
    for own, *others in data.DataLoader(dataset, 1, num_workers=2, batchify_fn=lambda items: items[0]):
        assert others == [own] != [os.getpid()]


def test_where_no_process_may_be_started_there_are_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    fork = os.fork

    def refuse() -> int:
        raise PermissionError("an answer is not permitted to do this: os.fork")

    monkeypatch.setattr(os, "fork", refuse)
    monkeypatch.setattr(processes, "_most_workers", math.inf)
    assert numbers(next(iter(data.DataLoader(of(lambda x: os.getpid()), 4, num_workers=2)))) == [os.getpid()] * 4
    monkeypatch.setattr(os, "fork", fork)
    assert numbers(next(iter(data.DataLoader(of(lambda x: os.getpid()), 4, num_workers=2)))) == [os.getpid()] * 4


def test_where_some_processes_can_be_started_they_make_all(monkeypatch: pytest.MonkeyPatch) -> None:
    fork, forks = os.fork, []

    def twice() -> int:
        forks.append(1)
        if len(forks) > 2:
            raise BlockingIOError("there are too many")
        return fork()

    monkeypatch.setattr(os, "fork", twice)
    monkeypatch.setattr(processes, "_most_workers", math.inf)
    monkeypatch.setattr(mx.compiler.threads.brake, "limit", 4)
    for _ in range(2):
        forks.clear()
        assert [x.asscalar() for x in data.DataLoader(of(lambda x: x), 1, num_workers=4)] == list(range(12))
    assert len(forks) == 2  # it is not tried again


def test_workers_that_work_are_no_more_than_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    def compute(x: int) -> int:
        until = time.process_time() + 0.02
        while time.process_time() < until:
            pass
        return os.getpid()

    monkeypatch.setattr(mx.compiler.threads.brake, "limit", 1)
    loader = data.DataLoader(of(compute, 20), 1, num_workers=3, prefetch=20)  # it never waits for an order
    assert len({batch.asscalar() for batch in loader}) == 1


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")  # since Python 3.12
def test_a_worker_that_waits_for_a_processor_does_not_sleep() -> None:
    ready = FORK.Event()

    def compute() -> None:
        while True:
            pass

    def sleep() -> None:
        ready.set()
        time.sleep(FOREVER)

    works, sleeps = (FORK.Process(target=function, daemon=True) for function in (compute, sleep))
    workers: Any = [[SimpleNamespace(process=process)] for process in (works, sleeps)]
    try:
        for process in (works, sleeps):
            process.start()
        assert ready.wait(FOREVER)
        until = time.monotonic() + FOREVER
        while not processes._are_asleep(workers[1]):
            assert time.monotonic() < until
        before, slept = (processes._busy_seconds(worker) or 0.0 for worker in workers)
        while (processes._busy_seconds(workers[0]) or 0.0) < before + 0.1:  # computes, or waits for a processor
            assert not processes._are_asleep(workers[0]) and time.monotonic() < until
            time.sleep(0.01)
        assert processes._busy_seconds(workers[1]) == slept and processes._are_asleep(workers[1])
    finally:
        for process in (works, sleeps):
            process.kill()
            process.join()
            process.close()
    gone: Any = [SimpleNamespace(process=SimpleNamespace(pid=2**22 + 1))]  # larger than any number of a process
    assert processes._busy_seconds(gone) is None


def test_a_second_worker_is_started_for_a_short_epoch_when_somebody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mx.compiler.threads.brake, "limit", 2)
    both = at_once(2)
    slow = True
    loader = data.DataLoader(of(lambda x: both(x) if slow else os.getpid(), 8), 1, num_workers=2)
    loader._is_short = True
    monkeypatch.setattr(processes, "_SHORT", 0.0)
    assert len({batch.asscalar() for batch in loader}) == 2
    assert not loader._is_short
    loader._is_short = True
    monkeypatch.setattr(processes, "_SHORT", math.inf)
    monkeypatch.setattr(processes, "_SOON", math.inf)
    slow = False
    assert len(list(loader)) == 8 and loader._is_short
    assert len({batch.asscalar() for batch in loader}) == 1


# --- what it is ---


@pytest.mark.parametrize(
    "batch",
    [
        nd.array([[1, 2], [3, 4]], dtype="float16"),
        nd.zeros((300, 300)).T,
        nd.array(numpy.arange(120_000).reshape(300, 400), dtype="int64")[::3, 5:],
        nd.array([True, False], dtype="bool"),
        mx.np.ones((0, 3)),
        mx.np.array(3.5),
        nd.ones((2, 2)).tostype("row_sparse"),
        nd.array([[0, 2], [3, 0]]).tostype("csr"),
        nd.ones((4,), ctx=mx.cpu(1)),
        numpy.arange(100_000.0)[::-1],
        numpy.asfortranarray(numpy.arange(90_000.0).reshape(300, 300)),
        numpy.array(["a", None], dtype=object),
        numpy.array(["2020-01-01"], dtype="datetime64[D]"),
        numpy.float32(2.5),
        "text" * 20_000,
        b"bytes" * 20_000,
        {"boxes": [nd.ones((3, 4)), mx.np.ones((0, 4))], "name": "x", "deep": ({"y": (1, (numpy.ones(5000), None))},)},
        [nd.full((300,), i) for i in range(2000)],
        None,
    ],
    ids=lambda batch: type(batch).__name__,
)
def test_whatever_a_batch_is(batch: Any) -> None:
    found = [*data.DataLoader(of(lambda x: x, 3), 1, num_workers=2, batchify_fn=lambda items: (items[0], batch))]
    assert [number for number, _ in found] == [0, 1, 2]
    for _, other in found:
        same(other, batch)


def same(left: Any, right: Any) -> None:
    assert type(left) is type(right)
    if isinstance(right, dict):
        assert left.keys() == right.keys()
        left, right = [*left.values()], [*right.values()]
    if isinstance(right, list | tuple):
        for one, other in zip(left, right, strict=True):
            same(one, other)
    elif isinstance(right, nd.NDArray):
        assert (left.ctx, left.dtype, left.shape, left.stype) == (right.ctx, right.dtype, right.shape, right.stype)
        assert numpy.array_equal(left.asnumpy(), right.asnumpy())
    elif isinstance(right, numpy.ndarray):
        assert left.dtype == right.dtype and numpy.array_equal(left, right) and left.flags.writeable
    else:
        assert left == right


def test_batches_that_are_kept_are_their_own() -> None:
    dataset = of(lambda x: numpy.full((100, 100), x, "float32"), 64)
    kept = list(data.DataLoader(dataset, 2, num_workers=2))
    for k, batch in enumerate(kept):
        batch[:] += 1
        assert (batch.asnumpy() == numpy.array([2 * k + 1, 2 * k + 2]).reshape(2, 1, 1)).all()


def test_sizes_that_grow_and_shrink() -> None:
    sizes = [1, 50_000, 3, 900_000, 20_000, 2_000_000, 5, 900_000]
    dataset = data.SimpleDataset(sizes).transform(lambda n: numpy.arange(n))
    for _ in range(2):
        batches = data.DataLoader(dataset, 1, num_workers=2, prefetch=7)
        assert [(batch.shape[1], int(batch[0, -1].asscalar())) for batch in batches] == [(n, n - 1) for n in sizes]


def test_more_batches_ahead_than_pieces_of_memory() -> None:
    dataset = of(lambda x: numpy.full(20_000, x), 100)
    batches = iter(data.DataLoader(dataset, 1, num_workers=1, prefetch=100))
    first = next(batches)
    time.sleep(0.2)
    assert [int(batch[0, 7].asscalar()) for batch in [first, *batches]] == list(range(100))


def test_lists_of_numbers_of_any_length() -> None:
    dataset = of(lambda x: x, 60_000)
    batches = data.DataLoader(dataset, 50_000, num_workers=2)
    assert [(len(batch), int(batch[-1].asscalar())) for batch in batches] == [(50_000, 49_999), (10_000, 59_999)]


def test_batchify_functions_of_the_library() -> None:
    functions = data.batchify.Tuple(data.batchify.Pad(val=-1), data.batchify.Stack())
    batches = list(data.DataLoader(of(lambda x: ([1.0] * (x + 1), x), 4), 2, batchify_fn=functions, num_workers=2))
    assert numbers(batches[1][0]) == [[1, 1, 1, -1], [1, 1, 1, 1]] and numbers(batches[1][1]) == [2, 3]


def test_prefetch_is_how_many_are_made_ahead() -> None:
    made = FORK.Value("i", 0)

    def count(x: int) -> int:
        with made.get_lock():
            made.value += 1
        return x

    batches: Any = iter(data.DataLoader(of(count, 100), 1, num_workers=2, prefetch=3))
    next(batches)
    until = time.monotonic() + FOREVER
    while made.value < 4 and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(0.1)  # no more are made than the one that was taken and three
    assert made.value == 4
    batches.close()
    made.value = 0
    assert [batch.asscalar() for batch in data.DataLoader(of(count, 3), 1, num_workers=2, prefetch=0)] == [0, 1, 2]


def test_a_slow_batch_does_not_change_the_order() -> None:
    dataset = of(lambda x: time.sleep(0.05 * (x == 0)) or x)
    assert [batch.asscalar() for batch in data.DataLoader(dataset, 1, num_workers=3)] == list(range(12))


def test_items_that_wait_for_each_other() -> None:
    both = FORK.Barrier(2)
    dataset = of(lambda x: (both.wait(FOREVER), x)[1], 8)
    assert [batch.asscalar() for batch in data.DataLoader(dataset, 1, num_workers=2)] == list(range(8))


# --- what a worker knows ---


def test_an_epoch_sees_what_has_become_of_the_data_set() -> None:
    items = [1, 2, 3]
    loader = data.DataLoader(data.SimpleDataset(items).transform(lambda x: x * 10), 3, num_workers=1)
    assert [numbers(batch) for batch in loader] == [[10, 20, 30]]
    items[1] = 5
    assert [numbers(batch) for batch in loader] == [[10, 50, 30]]


def test_what_a_data_set_counts_is_counted_in_the_worker() -> None:
    seen: list[int] = []
    loader = data.DataLoader(of(lambda x: seen.append(x) or len(seen), 4), 2, num_workers=1)
    assert [numbers(batch) for batch in loader] == [[1, 2], [3, 4]]
    assert seen == []


def test_refresh_begins_an_epoch_and_clean_drops_it() -> None:
    started = FORK.Event()
    loader = data.DataLoader(of(lambda x: started.set() or x, 4), 2, num_workers=1)
    loader.refresh()
    assert started.wait(FOREVER)
    loader.clean()
    loader.refresh()
    assert [numbers(batch) for batch in loader] == [[0, 1], [2, 3]]
    again = data.DataLoader(of(lambda x: x, 4), 2, num_workers=2, auto_reload=True)
    for _ in range(3):
        assert [numbers(batch) for batch in again] == [[0, 1], [2, 3]]
    again.clean()


def test_scopes_of_the_loop_end_at_the_worker() -> None:
    def switches(items: list[Any]) -> Any:
        here = autograd.is_recording(), autograd.is_training(), mx.context.current_context()
        return (*here, mx.util.is_np_array(), mx.util.is_np_shape())

    loader = data.DataLoader(of(lambda x: x, 1), 1, num_workers=1, batchify_fn=switches)
    with autograd.record(), mx.cpu(3):
        assert list(loader) == [(False, False, mx.cpu(0), False, False)]
    with mx.util.np_shape(True), mx.util.np_array(True):
        assert list(loader) == [(False, False, mx.cpu(0), True, True)]
        assert type(next(iter(data.DataLoader(of(lambda x: x), 2, num_workers=1)))) is mx.np.ndarray


def import_in_a_thread(name: str) -> Any:
    importing = threading.Thread(target=importlib.import_module, args=(name,))
    importing.start()
    importing.join()
    return sys.modules[name]


def test_a_module_that_another_thread_is_importing_is_complete_in_a_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate: Any = SimpleNamespace(begun=threading.Event(), open=threading.Event())
    monkeypatch.setitem(sys.modules, "gate_of_this_test", gate)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "slowly_imported.py").write_text(
        "from gate_of_this_test import begun, open\nbegun.set()\nopen.wait()\nvalue = 3\n"
    )
    importing = threading.Thread(target=importlib.import_module, args=("slowly_imported",))
    importing.start()
    opening = threading.Timer(0.2, gate.open.set)
    try:
        assert gate.begun.wait(FOREVER)
        opening.start()
        dataset = of(lambda x: importlib.import_module("slowly_imported").value + x, 4)
        loader = data.DataLoader(dataset, 2, num_workers=2, timeout=FOREVER)
        assert [numbers(batch) for batch in loader] == [[3, 4], [5, 6]]
    finally:
        gate.open.set()
        for thread in (importing, opening):
            thread.join()
        sys.modules.pop("slowly_imported", None)


def test_a_module_may_start_workers_while_it_is_imported_and_they_may_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "imported_in_a_worker.py").write_text("value = 3\n")
    (tmp_path / "starts_workers.py").write_text(
        "from test_dataloader_processes import data, import_in_a_thread, of\n"
        "make = lambda x: import_in_a_thread('imported_in_a_worker').value + x\n"
        "numbers = [batch.asscalar() for batch in data.DataLoader(of(make, 3), 1, num_workers=2)]\n"
    )
    try:
        assert importlib.import_module("starts_workers").numbers == [3, 4, 5]
        assert import_in_a_thread("imported_in_a_worker").value == 3  # the parent may import again
    finally:
        for name in ("starts_workers", "imported_in_a_worker"):
            sys.modules.pop(name, None)


def test_pinned_batches() -> None:
    batches = data.DataLoader(of(lambda x: (x, x), 2), 2, num_workers=1, pin_memory=True)
    assert [part.ctx for batch in batches for part in batch] == [mx.cpu_pinned(0)] * 2


def test_two_loaders_at_once_and_one_inside_the_other() -> None:
    first, second = (data.DataLoader(of(lambda x: x, n), 1, num_workers=2) for n in (5, 6))
    assert [(a.asscalar(), b.asscalar()) for a, b in zip(first, second, strict=False)] == [(i, i) for i in range(5)]
    assert [(a.asscalar(), b.asscalar()) for a in first for b in second] == [(i, j) for i in range(5) for j in range(6)]


def test_a_loader_in_a_thread_while_others_hold_locks_and_multiply() -> None:
    done, found = threading.Event(), list[Any]()
    net = nn.Dense(64)
    net.initialize()
    net.hybridize()
    x = nd.ones((64, 64))
    net(x)

    def multiply() -> None:
        while not done.is_set():
            net(x)

    others = [threading.Thread(target=multiply) for _ in range(2)]
    loading = threading.Thread(
        target=lambda: found.extend(
            batch.asnumpy()
            for _ in range(3)
            for batch in data.DataLoader(of(lambda i: net(x)[i] * i), 4, num_workers=2)
        )
    )
    for thread in [*others, loading]:
        thread.start()
    loading.join(FOREVER)
    done.set()
    for thread in others:
        thread.join()
    expected = net(x).asnumpy()[:12] * numpy.arange(12).reshape(12, 1)
    assert len(found) == 9
    numpy.testing.assert_allclose(numpy.concatenate(found[:3]), expected, rtol=1e-5)


@pytest.mark.parametrize("backend", [None, "c", "onednn", "onnxruntime"])
@pytest.mark.parametrize("called_before", [False, True])
def test_nets_in_a_worker(backend: str | None, called_before: bool) -> None:
    if backend == "onednn" and not onednn.is_available():
        pytest.skip("oneDNN is not there")
    if backend == "onnxruntime":
        pytest.importorskip("onnxruntime")
    net = nn.HybridSequential()
    net.add(nn.Conv2D(8, 3, activation="relu"), nn.Dense(5), nn.Activation("tanh"))
    net.initialize()
    x = nd.random.uniform(shape=(4, 3, 32, 32))
    expected = net(x).asnumpy()
    net.hybridize(backend=backend, static_alloc=True)
    if called_before:
        net(x)
    for batch in data.DataLoader(of(lambda i: net(x), 6), 1, num_workers=2, timeout=FOREVER):
        numpy.testing.assert_allclose(batch[0].asnumpy(), expected, rtol=1e-4, atol=1e-5)
    numpy.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-4, atol=1e-5)


def test_a_worker_multiplies_in_one_thread() -> None:
    program = """
import os, numpy
from d2lhybrid import nd
from d2lhybrid.internals.compiler import threads
from d2lhybrid.gluon import data
a = numpy.ones((600, 600))
a @ a
threads.brake.start()
before = threads.brake.library and threads.brake.library.get_threads()
def work(x):
    a @ a
    nd.dot(nd.array(a), nd.array(a))
    return len(os.listdir("/proc/self/task")), threads.share(), threads.available()
for batch in data.DataLoader(data.SimpleDataset([1, 2]).transform(work), 1, num_workers=2):
    print(*(part.asscalar() for part in batch))
assert before == (threads.brake.library and threads.brake.library.get_threads())
"""
    environment = {k: v for k, v in os.environ.items() if "NUM_THREADS" not in k} | {"MKL_NUM_THREADS": "2"}
    answer: Any = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, env=environment, check=False
    )
    assert (answer.stdout.splitlines(), answer.stderr) == (["1 1 1"] * 2, "")


def test_a_gpu_is_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(mx.MXNetError, match="GPU is not enabled") as raised:
        list(data.DataLoader(of(lambda x: nd.ones((1,), ctx=mx.gpu(0))), 1, num_workers=1))
    assert any("thread_pool=True" in note for note in raised.value.__notes__)


def test_record_files_are_read_by_several(tmp_path: Path) -> None:
    name = str(tmp_path / "data")
    record = mx.recordio.MXIndexedRecordIO(f"{name}.idx", f"{name}.rec", "w")
    for i in range(200):
        record.write_idx(i, bytes([i]) * 3000)
    record.close()
    dataset = data.RecordFileDataset(f"{name}.rec")
    dataset[0]
    loader = data.DataLoader(dataset, 10, num_workers=2, batchify_fn=as_it_is)
    assert [item for batch in loader for item in batch] == [bytes([i]) * 3000 for i in range(200)]
    dataset._record.close()


# --- random numbers ---


def draw(x: int) -> Any:
    """Draw from every generator that a program has."""
    image = nd.random.uniform(shape=(2,)).asnumpy().tolist()
    return [*image, numpy.random.rand(), random.random(), mx.np.random.normal().item()]


def drawn(workers: int, function: Any = draw, epochs: int = 2, **options: Any) -> Any:
    mx.random.seed(7)
    loader = data.DataLoader(of(function), 2, shuffle=True, num_workers=workers, **options)
    return [batch.asnumpy().tolist() for _ in range(epochs) for batch in loader]


def test_random_numbers_depend_on_the_seed_and_not_on_the_workers() -> None:
    expected = drawn(1)
    assert drawn(2) == drawn(3) == expected
    assert len({number for batch in expected for row in batch for number in row}) == 2 * 12 * 5
    mx.random.seed(8)
    assert [batch.asnumpy().tolist() for batch in data.DataLoader(of(draw), 2, num_workers=1)] != expected[:6]


def test_threads_draw_what_processes_draw() -> None:
    def own(x: int) -> Any:
        return nd.random.uniform(shape=(3,))

    assert drawn(2, own) == drawn(1, own, thread_pool=True) == drawn(4, own, thread_pool=True)


def test_workers_do_not_change_what_the_program_draws() -> None:
    after = []
    for workers in (0, 2):
        mx.random.seed(3)
        numpy.random.seed(3)
        order = list(data.DataLoader(of(lambda x: x), 3, shuffle=True, num_workers=workers))
        after.append(([numbers(batch) for batch in order], numbers(nd.random.uniform(shape=(3,)))))
        state = random.getstate(), numpy.random.get_state()[1].tolist()  # type: ignore[index, union-attr]
        list(data.DataLoader(of(draw), 2, num_workers=workers or 1))
        assert state == (random.getstate(), numpy.random.get_state()[1].tolist())  # type: ignore[index, union-attr]
    assert after[0] == after[1]


@pytest.mark.parametrize("thread_pool", [False, True])
def test_a_transform_may_seed_by_itself(thread_pool: bool) -> None:
    def own(x: int) -> Any:
        mx.random.seed(x % 2)
        return nd.random.uniform(shape=(1,))

    found = {batch.asscalar() for batch in data.DataLoader(of(own), 1, num_workers=2, thread_pool=thread_pool)}
    assert len(found) == 2


# --- what goes wrong ---


class Refused(ValueError):
    """Can be pickled, and cannot be made again of what is pickled."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} and {other}")


def fail(error: Any) -> Any:
    raise error


def test_an_error_is_the_one_that_was_raised_and_says_where() -> None:
    def check(x: int) -> int:
        if x == 5:
            error = KeyError(f"no item {x}")
            error.add_note("a note")
            raise error
        return x

    loader = data.DataLoader(of(check), 2, num_workers=2)
    seen = []
    for _ in range(2):
        with pytest.raises(KeyError, match="no item 5") as raised:
            seen.extend(numbers(batch) for batch in loader)
        note, where = raised.value.__notes__
        assert note == "a note" and "in check" in where and "raise error" in where
    assert seen == [[0, 1], [2, 3]] * 2


@pytest.mark.parametrize("error", [Refused(1, 2), type("Local", (Refused,), {})(1, 2)])
def test_an_error_that_cannot_be_sent_is_the_nearest_one(error: Exception) -> None:
    with pytest.raises(ValueError, match="1 and 2") as raised:
        list(data.DataLoader(of(lambda x: fail(error)), 1, num_workers=1))
    assert f"The original exception type, {type(error).__qualname__}, cannot" in raised.value.__notes__[0]


def test_a_batch_that_cannot_be_sent_says_what_to_do() -> None:
    loader = data.DataLoader(of(lambda x: x), 1, num_workers=1, batchify_fn=lambda items: (i for i in items))
    with pytest.raises(TypeError, match="generator") as raised:
        list(loader)
    assert "The worker process cannot send the batch" in raised.value.__notes__[0]
    assert "thread_pool=True" in raised.value.__notes__[0]


@pytest.mark.parametrize("code", [0, None, 3, "the file is empty"])
@pytest.mark.parametrize("threads", [False, True])
def test_an_exit_in_a_transform_is_an_error_here(code: Any, threads: bool) -> None:
    with pytest.raises(mx.MXNetError) as raised:
        list(data.DataLoader(of(lambda x: sys.exit(code)), 1, num_workers=1, thread_pool=threads))
    said = "" if code is None else repr(code)
    assert str(raised.value) == f"a worker of the DataLoader called sys.exit({said})"
    assert "raise an exception with a message" in raised.value.__notes__[0]


def test_a_program_whose_worker_exits_with_success_does_not() -> None:
    program = (
        "import sys\nfrom d2lhybrid.gluon import data\n"
        "items = data.SimpleDataset([1, 2, 3]).transform(lambda x: sys.exit(0))\n"
        "for batch in data.DataLoader(items, 1, num_workers=1):\n    pass\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "MXNetError: a worker of the DataLoader called sys.exit(0)" in done.stderr


@pytest.mark.parametrize(
    ("end", "how"),
    [
        (lambda: os.kill(os.getpid(), signal.SIGKILL), r"was ended by signal 9 \(Killed\)"),
        (lambda: os.kill(os.getpid(), signal.SIGUSR1), r"was ended by signal 10 \(User defined signal 1\)"),
        (lambda: os._exit(3), "ended with code 3"),
        (lambda: os._exit(0), "ended with code 0"),
    ],
)
def test_a_worker_that_dies_is_reported_at_once(end: Callable[[], Any], how: str) -> None:
    begun = FORK.Event()

    def work(x: int) -> int:
        if x == 7:
            begun.wait(FOREVER)
            end()
        if x == 8:
            begun.set()
            time.sleep(FOREVER)  # nobody waits for the other one
        return x

    loader = data.DataLoader(of(work), 1, num_workers=2)
    start = time.monotonic()
    with pytest.raises(mx.MXNetError, match=rf"A worker process of the DataLoader \(pid \d+\) {how}"):
        list(loader)
    assert time.monotonic() - start < FOREVER / 2


def test_a_slow_worker() -> None:
    start = time.monotonic()
    loader = data.DataLoader(of(lambda x: time.sleep(FOREVER)), 1, num_workers=2, timeout=0.1)  # type: ignore[arg-type]
    with pytest.raises(TimeoutError) as raised:
        list(loader)
    assert "not ready after 0.1 seconds" in raised.value.__notes__[0]
    assert time.monotonic() - start < FOREVER / 2


def test_a_worker_that_will_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_GRACE", 0.2)
    inside = FORK.Event()

    def stubborn(x: int) -> int:
        while x:
            try:
                inside.set()
                time.sleep(FOREVER)
            except BaseException:
                continue
        return x

    batches: Any = iter(data.DataLoader(of(stubborn), 1, num_workers=2))
    next(batches)
    assert inside.wait(FOREVER)
    start = time.monotonic()
    batches.close()
    assert time.monotonic() - start < FOREVER / 2


def test_an_end_in_the_middle_gives_locks_back() -> None:
    lock, inside = FORK.Lock(), FORK.Event()

    def hold(x: int) -> int:
        if x == 1:
            with lock:
                inside.set()
                time.sleep(FOREVER)
        return x

    for batch in data.DataLoader(of(hold), 1, num_workers=2):
        assert batch.asscalar() == 0 and inside.wait(FOREVER)
        break
    assert lock.acquire(block=False)


def test_children_that_others_have_waited_for() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert len(list(data.DataLoader(of(lambda x: x), 2, num_workers=2))) == 6
        with pytest.raises(mx.MXNetError, match="ended before it finished its work"):
            list(data.DataLoader(of(lambda x: os._exit(1)), 2, num_workers=2))
    finally:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def test_a_fork_of_the_program_leaves_the_workers_alone() -> None:
    batches: Any = iter(data.DataLoader(of(lambda x: x), 1, num_workers=2))
    next(batches)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        child = os.fork()
    if not child:
        batches.close()
        os._exit(0)
    os.waitpid(child, 0)
    assert [batch.asscalar() for batch in batches] == list(range(1, 12))


PROGRAM = """
import os, signal, sys, threading, time
from d2lhybrid.gluon import data
threading.Thread(target=time.sleep, args=(0.2,)).start()
items = data.SimpleDataset(list(range(400))).transform(lambda x: time.sleep(0.01) or os.getpid())
batches = iter(data.DataLoader(items, 10, num_workers=2))
print(next(batches)[0].asscalar(), next(batches)[0].asscalar(), flush=True)
"""


def run(program: str) -> tuple[int, str, list[int]]:
    """Run a program that prints the numbers of its workers; return how it ended, what it complained of, and those."""
    answer: Any = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", program], capture_output=True, text=True, check=False,
        timeout=FOREVER,
    )  # fmt: skip
    return answer.returncode, answer.stderr, [int(word) for word in answer.stdout.split()]


def has_gone(pid: int) -> bool:
    """Return whether a process ends."""
    until = time.monotonic() + FOREVER
    while time.monotonic() < until:
        try:
            if "Z" in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]:
                return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize(
    ("end", "code"),
    [
        ("", 0),
        ("sys.exit(4)", 4),
        ("del batches", 0),
        ("os.kill(os.getpid(), signal.SIGKILL)", -9),
        ("os._exit(5)", 5),
        ("for batch in batches: pass", 0),
        ("[i for i, batch in zip(range(3), batches)]", 0),
    ],
)
def test_the_end_of_the_program_is_that_of_its_workers(end: str, code: int) -> None:
    returned, complaints, pids = run(PROGRAM + end)
    assert (returned, complaints, len(pids)) == (code, "", 2)
    assert all(map(has_gone, pids))


def test_ctrl_c_ends_the_workers_without_a_word() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM + "for batch in batches: pass"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    pids = [int(word) for word in process.stdout.readline().split()]
    os.killpg(process.pid, signal.SIGINT)  # a terminal tells all
    _, errors = process.communicate(timeout=FOREVER)
    assert errors.count("Traceback") == 1 and errors.rstrip().endswith("KeyboardInterrupt")
    assert all(map(has_gone, pids))


def test_the_output_of_a_worker_is_seen_once(capfd: pytest.CaptureFixture[str]) -> None:
    answer: Any = subprocess.run(
        [sys.executable, "-c",
         "from d2lhybrid.gluon import data\nprint('parent')\n"
         "list(data.DataLoader(data.SimpleDataset([1]).transform(lambda x: print('worker') or x), 1, num_workers=1))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert sorted(answer.stdout.split()) == ["parent", "worker"]


# --- parcels ---


def test_a_view_is_sent_alone() -> None:
    parts = messages.pack(nd.zeros((1000, 1000))[3:5])
    assert sum(memoryview(part).nbytes for part in parts) < 10_000


def test_an_array_is_not_copied_to_be_packed() -> None:
    array = nd.zeros((1000,))
    _, memory = messages.pack(array)
    array[:] = 3
    assert (numpy.frombuffer(memory, "float32") == 3).all()
