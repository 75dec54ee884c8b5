"""Files that belong to each other are all written, or none is."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, nd, sym
from d2lhybrid.error import MXNetError
from d2lhybrid.gluon.contrib.estimator import CheckpointHandler, Estimator
from d2lhybrid.internals.support.filesystem import files_together, read_text, write_text


def graph(_: Any = None) -> Any:
    dense = sym.FullyConnected(sym.Variable("data"), num_hidden=3, name="fc")
    return sym.SoftmaxOutput(dense, sym.Variable("softmax_label"), name="softmax"), ("data",), ("softmax_label",)


def hybridized() -> Any:
    net = gluon.nn.Dense(2, in_units=3)
    net.initialize()
    net.hybridize()
    net(nd.ones((1, 3)))
    return net


def bound(module: Any) -> Any:
    module.bind([("data", (2, 4))], [("softmax_label", (2,))])
    module.init_params()
    module.init_optimizer()
    return module


def handled(prefix: str) -> None:
    net = hybridized()
    estimator = Estimator(net, gluon.loss.L2Loss(), trainer=gluon.Trainer(net.collect_params(), "adam"))
    CheckpointHandler(os.path.dirname(prefix), os.path.basename(prefix))._save(estimator, os.path.basename(prefix))


WRITERS: dict[str, tuple[Callable[[str], Any], list[str]]] = {
    "export": (lambda prefix: hybridized().export(prefix), ["net-symbol.json", "net-0000.params"]),
    "save": (lambda prefix: hybridized().save(prefix), ["net-model.params", "net-model.json"]),
    "save_checkpoint": (
        lambda prefix: mx.model.save_checkpoint(prefix, 1, graph()[0], {"fc_bias": nd.ones(3)}, {}),
        ["net-symbol.json", "net-0001.params"],
    ),
    "Module": (
        lambda prefix: bound(mx.mod.Module(graph()[0])).save_checkpoint(prefix, 1, save_optimizer_states=True),
        ["net-symbol.json", "net-0001.params", "net-0001.states"],
    ),
    "BucketingModule": (
        lambda prefix: bound(mx.mod.BucketingModule(graph, default_bucket_key=4)).save_checkpoint(prefix, 1),
        ["net-0001.params", "net-4-symbol.json", "net.buckets"],
    ),
    "CheckpointHandler": (handled, ["net.params", "net.states"]),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_all_files_are_written(writer: str, tmp_path: Path) -> None:
    write, files = WRITERS[writer]
    write(str(tmp_path / "net"))
    assert sorted(os.listdir(tmp_path)) == sorted(files)


@pytest.mark.parametrize(
    ("writer", "refused"), [(name, file) for name, (_, files) in WRITERS.items() for file in files]
)
def test_where_one_file_cannot_be_written_none_is(writer: str, refused: str, tmp_path: Path) -> None:
    write, files = WRITERS[writer]
    (tmp_path / refused).mkdir()
    others = [file for file in files if file != refused]
    for file in others:
        (tmp_path / file).write_text("older")
    with pytest.raises(MXNetError, match="Is a directory"):
        write(str(tmp_path / "net"))
    assert sorted(os.listdir(tmp_path)) == sorted(files)
    assert {(tmp_path / file).read_text() for file in others} == {"older"}


def test_what_was_written_appears_when_the_outermost_block_ends(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text("older")
    with files_together():
        with files_together():
            write_text(first, "newer")
        write_text(second, "new")
        assert first.read_text() == "older" and not second.exists()
    assert (read_text(first), read_text(second)) == ("newer", "new")
    assert sorted(os.listdir(tmp_path)) == ["first", "second"]


def test_after_an_interruption_everything_is_as_before(tmp_path: Path) -> None:
    first = tmp_path / "first"
    first.write_text("older")
    with pytest.raises(KeyboardInterrupt), files_together():
        write_text(first, "newer")
        write_text(tmp_path / "second", "new")
        raise KeyboardInterrupt
    assert first.read_text() == "older" and os.listdir(tmp_path) == ["first"]
    write_text(first, "alone")  # the block is over
    assert first.read_text() == "alone"


def test_a_file_without_room_leaves_the_others_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = tmp_path / "first"
    first.write_text("older")
    sync, times = os.fsync, iter([None, OSError(28, "No space left on device")])

    def full(descriptor: int) -> None:
        if (error := next(times, None)) is not None:
            raise error
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(MXNetError, match=r'writing ".*second" failed: No space left'), files_together():
        write_text(first, "newer")
        write_text(tmp_path / "second", "new")
    assert first.read_text() == "older" and os.listdir(tmp_path) == ["first"]


def test_files_of_another_thread_do_not_wait(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool, files_together():
        write_text(tmp_path / "mine", "waits")
        pool.submit(write_text, tmp_path / "theirs", "is there").result()
        assert os.listdir(tmp_path).count("theirs") == 1 and not (tmp_path / "mine").exists()
    assert (tmp_path / "mine").read_text() == "waits"
