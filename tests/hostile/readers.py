"""The kinds of files: honest ones to begin with, what is done to them, and how they are read."""

from __future__ import annotations

import functools
import gzip
import io
import json
import pickle
import random
import struct
import tarfile
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy

import d2lhybrid as mx
from d2lhybrid import gluon, nd, recordio, sym
from d2lhybrid.gluon import nn
from d2lhybrid.gluon.data import vision
from d2lhybrid.internals.course.grading.submission import read_submission
from d2lhybrid.internals.formats.serialization import read_arrays
from d2lhybrid.optimizer.saved_states import read_states

from .mutations import damaged, damaged_json, damaged_packed

__all__ = ["KINDS", "Kind"]

GOLDEN = Path(__file__).resolve().parent.parent / "golden_data"
NOTEBOOKS = Path(__file__).resolve().parent.parent.parent / "notebooks"


class Kind(NamedTuple):
    """One kind of file.

    Attributes
    ----------
    honest : callable
        Returns the contents of honest files.
    damage : callable
        ``damage(rng, contents)`` returns those of a hostile one.
    read : callable
        ``read(contents, folder)`` reads it.
    refusals : tuple of type
        What it may raise.
    """

    honest: Callable[[], list[bytes]]
    damage: Callable[[random.Random, bytes], bytes]
    read: Callable[[bytes, Path], Any]
    refusals: tuple[type[BaseException], ...] = (mx.MXNetError,)


@functools.cache
def _graphs() -> list[bytes]:
    found = [path.read_bytes() for path in sorted(GOLDEN.glob("*/*-symbol.json"))]
    return [text for text in found if len(text) < 30_000]


@functools.cache
def _small_graphs() -> list[bytes]:
    net = nn.HybridSequential()
    net.add(nn.Conv2D(2, 3, padding=1), nn.BatchNorm(), nn.MaxPool2D(2), nn.Dense(3))
    data = sym.var("data")
    return [_traced(net).encode(), sym.concat(data, data, dim=1).tojson().encode()]


def _traced(net: Any) -> str:
    net.initialize()
    return net(sym.var("data")).tojson()


@functools.cache
def _params() -> list[bytes]:
    found = [path.read_bytes() for path in sorted(GOLDEN.glob("*/*.params"))]
    return [content for content in found if len(content) < 20_000]


@functools.cache
def _states() -> list[bytes]:
    found = []
    for name in ("sgd", "adam", "lamb"):
        net = nn.Dense(2, in_units=3)
        net.initialize()
        trainer = gluon.Trainer(net.collect_params(), name, {"learning_rate": 0.1})
        with mx.autograd.record():
            loss = net(nd.ones((1, 3))).sum()
        loss.backward()
        trainer.step(1)
        updater = trainer._updaters[0]
        found += [pickle.dumps((updater.states, updater.optimizer), protocol) for protocol in (2, 4, 5)]
    return found


def _use_states(content: bytes, folder: Path) -> None:
    """Load states into a trainer of the optimizer that they are of, and go on training with it."""
    (folder / "states").write_bytes(content)
    name = next((name for name in ("adam", "lamb") if name.upper() in content.decode("latin1").upper()), "sgd")
    net = nn.Dense(2, in_units=3)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), name, {"learning_rate": 0.1})
    trainer.load_states(str(folder / "states"))
    for _ in range(2):
        with mx.autograd.record():
            loss = net(nd.ones((1, 3))).sum()
        loss.backward()
        trainer.step(1)


def _net() -> Any:
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv2D(2, 3, padding=1), nn.BatchNorm(), nn.MaxPool2D(2), nn.Dense(3))
    net.initialize()
    net(nd.ones((1, 1, 4, 4)))
    return net


@functools.cache
def _exported() -> tuple[bytes, bytes, bytes]:
    """Return what a net writes: its parameters, its exported parameters and its graph."""
    net = _net()
    net.hybridize()
    net(nd.ones((1, 1, 4, 4)))
    with tempfile.TemporaryDirectory() as folder:
        net.save_parameters(f"{folder}/net.params")
        net.export(f"{folder}/net")
        names = ("net.params", "net-0000.params", "net-symbol.json")
        parameters, exported, graph = ((Path(folder) / name).read_bytes() for name in names)
    return parameters, exported, graph


def _load_block(content: bytes, folder: Path) -> None:
    (folder / "net.params").write_bytes(content)
    _net().load_parameters(str(folder / "net.params"))


def _import_parameters(content: bytes, folder: Path) -> None:
    _import(_exported()[2], content, folder)


def _import_graph(content: bytes, folder: Path) -> None:
    _import(content, _exported()[1], folder)


def _import(graph: bytes, parameters: bytes, folder: Path) -> None:
    (folder / "both-symbol.json").write_bytes(graph)
    (folder / "both-0000.params").write_bytes(parameters)
    names = str(folder / "both-symbol.json"), str(folder / "both-0000.params")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Cannot decide type for the following arguments")  # as MXNet warns
        block = gluon.SymbolBlock.imports(names[0], ["data"], names[1])
    block(nd.ones((1, 1, 4, 4)))
    block.hybridize()
    block(nd.ones((1, 1, 4, 4)))
    symbol, arguments, states = mx.model.load_checkpoint(str(folder / "both"), 0)
    if "data" not in symbol.list_arguments():  # then it is another model, and Module says so in its own way
        return
    module = mx.mod.Module(symbol, data_names=["data"], label_names=[])
    module.bind(data_shapes=[("data", (1, 1, 4, 4))], for_training=False)
    module.set_params(arguments, states)
    module.forward(mx.io.DataBatch([nd.ones((1, 1, 4, 4))]))


@functools.cache
def _records() -> tuple[bytes, bytes]:
    """Return a file of records, and its index."""
    with tempfile.TemporaryDirectory() as folder:
        writer = recordio.MXIndexedRecordIO(f"{folder}/a.idx", f"{folder}/a.rec", "w")
        for i in range(5):
            label = [1.0, 2.0] if i % 2 else float(i)
            writer.write_idx(i, recordio.pack(recordio.IRHeader(0, label, i, 0), b"content" * i))
        writer.close()
        return (Path(folder) / "a.rec").read_bytes(), (Path(folder) / "a.idx").read_bytes()


def _read_records(content: bytes, index: bytes, folder: Path) -> None:
    (folder / "a.rec").write_bytes(content)
    (folder / "a.idx").write_bytes(index)
    records = gluon.data.RecordFileDataset(str(folder / "a.rec"))
    for i in range(len(records)):
        recordio.unpack(records[i])


def _idx(*shape: int) -> bytes:
    return struct.pack(f">4B{len(shape)}I", 0, 0, 8, len(shape), *shape) + bytes(int(numpy.prod(shape)))


def _archives() -> list[bytes]:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as tar:
        info = tarfile.TarInfo("cifar/test_batch.bin")
        info.size = 2 * 3073
        tar.addfile(info, io.BytesIO(bytes(info.size)))
    return [stream.getvalue()]


def _read_graph(content: bytes, folder: Path) -> None:
    (folder / "net-symbol.json").write_bytes(content)
    symbol = sym.load(str(folder / "net-symbol.json"))
    symbol.infer_shape_partial()
    symbol.infer_type_partial()
    symbol.tojson()


def _run_graph(content: bytes, folder: Path) -> None:
    """Load a graph, and call it: what it would need is estimated before."""
    (folder / "net-symbol.json").write_bytes(content)
    symbol = sym.load(str(folder / "net-symbol.json"))
    shapes, _, states = symbol.infer_shape_partial(data=(2, 1, 4, 4))
    if (
        shapes is None
        or states is None
        or any(not s or 0 in s or numpy.prod(s, dtype=float) > 10**6 for s in (*shapes, *states))
    ):
        return
    arguments = {n: nd.ones(s) for n, s in zip(symbol.list_arguments(), shapes, strict=False)}
    auxiliary = {n: nd.ones(s) for n, s in zip(symbol.list_auxiliary_states(), states, strict=False)}
    symbol.bind(mx.cpu(), arguments, aux_states=auxiliary).forward()


def _read_params(content: bytes, folder: Path) -> None:
    (folder / "net.params").write_bytes(content)
    arrays, _ = read_arrays(str(folder / "net.params"))  # of every version, whatever the semantics
    for array in arrays:
        array.to_dense()


def _read_mnist(content: bytes, folder: Path) -> None:
    (folder / "train-images-idx3-ubyte.gz").write_bytes(content)
    (folder / "train-labels-idx1-ubyte.gz").write_bytes(gzip.compress(_idx(2)))
    vision.MNIST(str(folder))


def _read_cifar(content: bytes, folder: Path) -> None:
    (folder / "cifar-10-binary.tar.gz").write_bytes(content)
    vision.CIFAR10(str(folder), train=False)


def _read_notebook(content: bytes, folder: Path) -> None:
    (folder / "a.ipynb").write_bytes(content)
    if problem := read_submission(folder / "a.ipynb").problem:
        raise mx.MXNetError(problem)


def _notebooks() -> list[bytes]:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["## Exercise\n"]},
        {"cell_type": "code", "metadata": {"nbgrader": {"grade_id": "answer-01-1"}}, "source": "x = 1"},
        {"cell_type": "code", "metadata": {}, "source": ['ex("01.1").check()']},
    ]
    return [json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()]


@functools.cache
def _image_files() -> list[bytes]:
    from PIL import Image

    found = []
    image = Image.fromarray(numpy.arange(768, dtype="uint32").astype("uint8").reshape(16, 16, 3))
    for name, settings in (
        ("TIFF", {}), ("TIFF", {"compression": "tiff_deflate"}), ("PNG", {}), ("JPEG", {}), ("BMP", {}), ("GIF", {}),
    ):  # fmt: skip
        stream = io.BytesIO()
        image.save(stream, name, **settings)
        found.append(stream.getvalue())
    return found


KINDS: dict[str, Kind] = {
    "graph": Kind(_graphs, damaged_json, _read_graph),
    "graph, called": Kind(_small_graphs, damaged_json, _run_graph),
    "parameters": Kind(_params, damaged, _read_params),
    "states": Kind(_states, damaged, lambda content, folder: read_states(content)),
    "states, used": Kind(_states, damaged, _use_states),
    "block": Kind(lambda: [_exported()[0]], damaged, _load_block),
    "import, parameters": Kind(lambda: [_exported()[1]], damaged, _import_parameters),
    "import, graph": Kind(lambda: [_exported()[2]], damaged_json, _import_graph),
    "records": Kind(
        lambda: [_records()[0]], damaged, lambda content, folder: _read_records(content, _records()[1], folder)
    ),
    "index of records": Kind(
        lambda: [_records()[1]], damaged, lambda content, folder: _read_records(_records()[0], content, folder)
    ),
    "image": Kind(_image_files, damaged, lambda content, folder: mx.image.imdecode(content)),
    "packed images": Kind(lambda: [gzip.compress(_idx(2, 28, 28))], damaged_packed, _read_mnist),
    "packed archive": Kind(_archives, damaged_packed, _read_cifar, (mx.MXNetError, FileNotFoundError)),
    "notebook": Kind(_notebooks, damaged_json, _read_notebook),
}

warnings.simplefilter("ignore")
