"""What of the files of every version loads, computes what that version computed, and is written back."""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
import warnings
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd, sym
from d2lhybrid.gluon import nn

from .plain import plain_graph

__all__ = ["ARCHIVES", "KINDS", "VERSIONS", "Archive", "outcome", "steps"]

GOLDEN = Path(__file__).parent.parent / "golden_data" / "old_files"
#: Archives of files, by the version that wrote them, the oldest first.
ARCHIVES = dict(
    sorted(((path.stem, path) for path in GOLDEN.glob("*.zip")), key=lambda pair: [*map(int, pair[0].split("."))])
)
VERSIONS = tuple(ARCHIVES)
#: A step: its name, and a function that raises where something is wrong.
Step = tuple[str, Callable[[], None]]


class Archive:
    """The files of a version, in a folder, and what it computed from them."""

    def __init__(self, version: str, folder: Path) -> None:
        self.version, self.folder = version, folder
        with zipfile.ZipFile(ARCHIVES[version]) as packed:
            packed.extractall(folder)
        with numpy.load(folder / "expected.npz") as expected:
            self.expected = {name: expected[name] for name in expected.files}
        self.written_back: dict[str, str] = json.loads((folder / "written_back.json").read_text("utf-8"))

    def path(self, name: str) -> str:
        """Return the path of a file as text, for functions of MXNet."""
        return str(self.folder / name)

    def has(self, name: str) -> bool:
        """Return whether the version wrote a file."""
        return (self.folder / name).exists()

    def below(self, prefix: str) -> dict[str, Any]:
        """Return what is expected below a name."""
        return {n.removeprefix(prefix): v for n, v in self.expected.items() if n.startswith(prefix)}

    def check(self, name: str, found: Any, rtol: float = 2e-4, atol: float = 2e-5) -> None:
        """Compare an array with the one of a name: the element type, the shape, and the values up to rounding."""
        expected = self.expected[name]
        assert found.shape == expected.shape, f"{name} has the shape {found.shape}, and not {expected.shape}"
        numpy.testing.assert_allclose(found.asnumpy(), expected, rtol, atol, err_msg=name)

    def check_written(self, name: str, content: bytes) -> None:
        """Compare what is written back with what MXNet 1.9.1 writes."""
        assert hashlib.sha256(content).hexdigest() == self.written_back[name], f"{name} is written in another way"

    def check_graph_written(self, name: str, symbol: Any) -> None:
        """Compare a graph that is written back with what MXNet 1.9.1 writes."""
        again = self.path("again-" + name)
        symbol.save(again)
        content = json.dumps(plain_graph(Path(again).read_text("utf-8")), sort_keys=True)
        self.check_written(name, content.encode())

    def check_arrays_written(self, name: str, arrays: Any) -> None:
        """Compare arrays that are written back with what MXNet 1.9.1 writes, byte for byte."""
        again = self.path("again-" + name)
        nd.save(again, arrays)
        self.check_written(name, Path(again).read_bytes())


# --- graphs ----------------------------------------------------------------------------------------------------------


def _graph(name: str) -> Callable[[Archive], Iterator[Step]]:
    def steps(files: Archive) -> Iterator[Step]:
        if not files.has(f"{name}-symbol.json"):
            return
        loaded: list[Any] = []
        yield "loads", lambda: loaded.extend(mx.model.load_checkpoint(files.path(name), 1))
        symbol, parameters, states = loaded

        def computes() -> None:
            inputs = {n: nd.array(v) for n, v in files.below(f"{name}/input/").items()}
            bound = symbol.bind(mx.cpu(), {**inputs, **parameters}, grad_req="null", aux_states=states)
            outputs = bound.forward(is_train=False)
            assert len(outputs) == len(files.below(f"{name}/output/"))
            for i, y in enumerate(outputs):
                files.check(f"{name}/output/{i}", y)

        def is_written() -> None:
            files.check_graph_written(f"{name}-symbol.json", symbol)
            files.check_arrays_written(f"{name}-0001.params", nd.load(files.path(f"{name}-0001.params")))

        yield "computes", computes
        yield "is saved again", is_written

    return steps


def _module(optimizer: str) -> Callable[[Archive], Iterator[Step]]:
    def steps(files: Archive) -> Iterator[Step]:
        prefix = files.path(f"module-{optimizer}")
        modules: list[Any] = []

        def load(prefix: str) -> None:
            module = mx.mod.Module.load(prefix, 3, True, label_names=["softmax_label"])
            module.bind([("data", (6, 5))], [("softmax_label", (6,))])
            module.init_optimizer(
                optimizer=optimizer,
                optimizer_params={"learning_rate": 0.1, **({"momentum": 0.9, "wd": 0.1} if optimizer == "sgd" else {})},
            )
            modules.append(module)

        def train() -> None:
            module = modules[-1]
            x = nd.array(files.expected["perceptron/input/data"])
            for _ in range(2):
                module.forward(mx.io.DataBatch([x], [nd.array([0, 1, 2, 0, 1, 2])]), is_train=True)
                module.backward()
                module.update()
            args, states = module.get_params()
            found = {**args, **states}
            expected = files.below(f"module-{optimizer}/parameter/")
            assert found.keys() == expected.keys()
            for n in expected:
                files.check(f"module-{optimizer}/parameter/{n}", found[n])

        def is_written() -> None:
            load(prefix)
            modules[-1].save_checkpoint(prefix + "-again", 3, save_optimizer_states=True)
            load(prefix + "-again")
            train()

        yield "loads", lambda: load(prefix)
        yield "computes", train
        yield "is saved again", is_written

    return steps


# --- arrays ----------------------------------------------------------------------------------------------------------


def _arrays(name: str) -> Callable[[Archive], Iterator[Step]]:
    def steps(files: Archive) -> Iterator[Step]:
        if not files.has(f"{name}.nd"):
            return
        loaded: list[Any] = []

        def load() -> None:
            with mx.util.np_shape(name == "np"):
                loaded.append(nd.load(files.path(f"{name}.nd")))

        def computes() -> None:
            arrays = loaded[0] if isinstance(loaded[0], dict) else {str(i): a for i, a in enumerate(loaded[0])}
            expected = files.below(f"{name}/")
            assert arrays.keys() == expected.keys()
            for key, found in arrays.items():
                files.check(f"{name}/{key}", found, 0, 0)
                if name == "sparse":
                    assert found.stype == key
                else:
                    assert found.dtype == expected[key].dtype

        def is_written() -> None:
            with mx.util.np_shape(name == "np"):
                files.check_arrays_written(f"{name}.nd", loaded[0])

        yield "loads", load
        yield "computes", computes
        yield "is saved again", is_written

    return steps


# --- Gluon -----------------------------------------------------------------------------------------------------------


def _net() -> Any:
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv2D(3, 3), nn.BatchNorm(), nn.Activation("relu"), nn.Flatten())
        net.add(nn.Dense(4, activation="tanh"), nn.Dense(2))
    return net


def _parameters(way: str) -> Callable[[Archive], Iterator[Step]]:
    def steps(files: Archive) -> Iterator[Step]:
        name = f"gluon-{way}.params"
        if not files.has(name):
            return
        net = _net()

        def load() -> None:
            if way == "collected":
                net.collect_params().load(files.path(name), mx.cpu())
            else:
                net.load_parameters(files.path(name), mx.cpu())

        yield "loads", load
        yield "computes", lambda: files.check("gluon/output", net(nd.array(files.expected["gluon/input"])))
        yield "is saved again", lambda: files.check_arrays_written(name, nd.load(files.path(name)))

    return steps


def _exported(files: Archive) -> Iterator[Step]:
    if not files.has("gluon-export-symbol.json"):
        return
    blocks: list[Any] = []
    graph, parameters = files.path("gluon-export-symbol.json"), files.path("gluon-export-0000.params")
    x = nd.array(files.expected["gluon/input"])

    def load() -> None:
        if not files.has("gluon-export-0000.params"):  # before version 1.0 a graph alone could be written
            block = gluon.SymbolBlock(sym.load(graph), sym.var("data"))
            block.load_parameters(files.path("gluon-collected.params"), mx.cpu())
        else:
            block = gluon.SymbolBlock.imports(graph, ["data"], parameters, mx.cpu())
        blocks.append(block)

    def computes() -> None:
        files.check("gluon/output", blocks[0](x))
        blocks[0].hybridize()
        files.check("gluon/output", blocks[0](x))

    def is_written() -> None:
        files.check_graph_written("gluon-export-symbol.json", sym.load(graph))
        blocks[0].export(files.path("again"))
        again = gluon.SymbolBlock.imports(
            files.path("again-symbol.json"), ["data"], files.path("again-0000.params"), mx.cpu()
        )
        files.check("gluon/output", again(x))

    yield "loads", load
    yield "computes", computes
    yield "is saved again", is_written


def _trainer(files: Archive) -> Iterator[Step]:
    if not files.has("gluon.states"):
        return
    x = nd.array(files.expected["gluon/input"])

    def trained(states: str) -> Any:
        net = _net()
        net.collect_params().load(files.path("gluon-collected.params"), mx.cpu())
        trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1, "momentum": 0.9})
        trainer.load_states(states)
        return net, trainer

    def check_a_step(net: Any, trainer: Any) -> None:
        with autograd.record():
            loss = nd.sum(net(x) ** 2)
        loss.backward()
        trainer.step(2)
        for name, p in net.collect_params().items():
            files.check(f"gluon/after/{name}", p.data())

    def is_written() -> None:
        _, trainer = trained(files.path("gluon.states"))
        trainer.save_states(files.path("again.states"))
        check_a_step(*trained(files.path("again.states")))

    yield "loads", lambda: trained(files.path("gluon.states")) and None
    yield "computes", lambda: check_a_step(*trained(files.path("gluon.states")))
    yield "is saved again", is_written


def _records(files: Archive) -> Iterator[Step]:
    records: list[Any] = []

    def load() -> None:
        reader = mx.recordio.MXIndexedRecordIO(files.path("records.idx"), files.path("records.rec"), "r")
        records.extend(mx.recordio.unpack(reader.read_idx(i)) for i in reader.keys)
        reader.close()

    def computes() -> None:
        for i, (header, content) in enumerate(records):
            assert content == b"text %d" % i and header.id == i
            assert header.label == i if i % 2 else header.label.tolist() == [i, 0.5]
        assert len(records) == 4

    def is_written() -> None:
        writer = mx.recordio.MXIndexedRecordIO(files.path("again.idx"), files.path("again.rec"), "w")
        for i, (header, content) in enumerate(records):
            label = float(i) if i % 2 else [float(i), 0.5]
            writer.write_idx(i, mx.recordio.pack(mx.recordio.IRHeader(0, label, header.id, 0), content))
        writer.close()
        for end in (".rec", ".idx"):
            assert Path(files.path("again" + end)).read_bytes() == Path(files.path("records" + end)).read_bytes()

    yield "loads", load
    yield "computes", computes
    yield "is saved again", is_written


#: From what a file is to what is done with it.
KINDS: dict[str, Callable[[Archive], Iterator[Step]]] = {
    "checkpoint of a perceptron with device groups and multipliers": _graph("perceptron"),
    "checkpoint of a convolutional net": _graph("convolutional"),
    "arithmetic graph": _graph("arithmetic"),
    "checkpoint of unrolled recurrent cells": _graph("recurrent"),
    "graph with a loop": _graph("looped"),
    "module with SGD states": _module("sgd"),
    "module with Adam states": _module("adam"),
    "named arrays of all element types": _arrays("named"),
    "list of arrays": _arrays("listed"),
    "sparse arrays": _arrays("sparse"),
    "arrays of `np`": _arrays("np"),
    "`collect_params().save`": _parameters("collected"),
    "`save_params`": _parameters("save_params"),
    "`save_parameters`": _parameters("save_parameters"),
    "`export`": _exported,
    "states of a `Trainer`": _trainer,
    "record file with an index": _records,
}


def steps(files: Archive, kind: str) -> Iterator[Step]:
    """Return what is done with a file; nothing where the version could not write it."""
    return KINDS[kind](files)


def outcome(version: str, kind: str) -> str:
    """Return how far a file comes: ``yes``, nothing where there is none, or what goes wrong."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        done = ""
        for step, run in steps(Archive(version, Path(folder)), kind):
            try:
                run()
            except Exception as error:
                first = re.sub(r"\s+", " ", str(error))[:100]
                return f"not: {step} ({type(error).__name__}: {first})"
            done = "yes"
        return done
