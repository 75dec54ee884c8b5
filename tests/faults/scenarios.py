"""What is interrupted, and what must be true afterwards."""

from __future__ import annotations

import os
import pathlib
import shutil
import tempfile
import threading
from typing import Any

import numpy

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid import symbol as sym
from d2lhybrid.attribute import current_attributes
from d2lhybrid.gluon import nn
from d2lhybrid.internals.compiler.backends import library_cache
from d2lhybrid.internals.support import events, locks, places
from d2lhybrid.name import switches
from d2lhybrid.symbol.compose import new_source
from d2lhybrid.util import is_np_array, is_np_shape

__all__ = ["SCENARIOS", "Scenario", "check_switches"]


class Odd(nn.HybridBlock):
    """A block with a parameter of its own, children, and names."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.hidden = nn.Dense(5, activation="tanh")
            self.norm = nn.BatchNorm()
            self.scale = self.params.get("scale", shape=(5,), init="ones")

    def hybrid_forward(self, F: Any, x: Any, scale: Any) -> Any:
        y = self.norm(self.hidden(x))
        return F.broadcast_add(F.broadcast_mul(y, F.exp(scale)), F.mean(y, axis=1, keepdims=True))


class Forked(nn.HybridBlock):
    """A net with a second output, which has a layer of its own."""

    def __init__(self, trunk: Any) -> None:
        super().__init__()
        self.trunk, self.side = trunk, nn.BatchNorm()

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        y = self.trunk(x)
        return y, self.side(y)


class Branching(nn.HybridBlock):
    """A net with a layer in a branch."""

    def __init__(self, trunk: Any) -> None:
        super().__init__()
        self.trunk, self.side = trunk, nn.BatchNorm()

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        y = self.trunk(x)
        return F.contrib.cond(F.sum(x) < 1e9, lambda: self.side(y), lambda: y * 2)


def make_net() -> Any:
    net = nn.HybridSequential()
    with net.name_scope():
        net.add(Odd(), nn.Dropout(0.5), nn.Dense(3))
    net.initialize(mx.init.Uniform(0.5))
    return net


def data(rows: int = 4) -> Any:
    return nd.array(numpy.random.default_rng(rows).normal(size=(rows, 6)).astype("float32"))


class Failed(AssertionError):
    """Something was lost."""


def check(fact: bool, what: str) -> None:
    """Raise if something is not so."""
    if not fact:
        raise Failed(what)


def check_switches() -> None:
    """Check that nothing is switched on in this thread."""
    check(not any(lock._is_owned() for lock in locks._locks), "this thread still holds a lock")
    check(not autograd.is_recording(), "recording goes on")
    check(not autograd.is_training(), "training mode goes on")
    check(mx.current_context() == mx.cpu(), "another context goes on")
    check(not is_np_array() and not is_np_shape(), "NumPy semantics go on")
    check(not current_attributes(), "attributes of a scope go on")
    check(switches.scope is None and switches.outer == {}, "a block's scope of names goes on")
    check(new_source() is None, "lines are still being remembered")
    listeners = [one for event in events._EVENTS.values() for one in event if one.thread is threading.current_thread()]
    check(places._trace.block is None and not listeners, "a trace goes on")
    check(nn.Dense(1).prefix.startswith("dense"), "a prefix goes on")


def check_net(net: Any, x: Any) -> None:
    """Check that a net computes hybridized what it computes imperatively, and can be trained."""
    got = net(x).asnumpy()
    again = net(x).asnumpy()
    active = net._active
    net.hybridize(False)
    eager = net(x).asnumpy()
    check(numpy.allclose(got, eager, rtol=1e-5, atol=1e-6), "the net computes something else")
    check(numpy.array_equal(got, again), "the net computes something else at the second call")
    for parameter in net.collect_params().values():
        value = parameter.data()
        check(value.shape == parameter.shape, f"{parameter.name} has another shape")
        check(numpy.dtype(value.dtype) == numpy.dtype(parameter.dtype), f"{parameter.name} has another dtype")
        if parameter.grad_req != "null":
            check(parameter.grad().shape == value.shape, f"the gradient of {parameter.name} has another shape")
            check(parameter.grad().dtype == value.dtype, f"the gradient of {parameter.name} has another dtype")
    net.hybridize(active)
    with autograd.record():
        loss = (net(x) ** 2).sum()
    loss.backward()
    check(all(p.grad().asnumpy().any() for p in net.collect_params(".*weight").values()), "there is no gradient")


class Scenario:
    """Something that is done to a net, or that a net does; every try begins anew."""

    name = ""
    #: Whether it writes files, of which every one must be the old or the new one.
    writes = False
    #: Whether a file that cannot be written is no error.
    silent = False

    def __init__(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="faults-"))
        self.net: Any = None
        self.x = data()

    def prepare(self) -> None:
        """Make what is needed before."""
        mx.random.seed(3)
        self.net = make_net()
        self.net.hybridize()

    def act(self) -> None:
        """Do what is to be disturbed."""
        self.net(self.x)

    def check(self) -> None:
        """Check what must be true afterwards."""
        check_switches()
        check_net(self.net, self.x)

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)


class FirstCall(Scenario):
    """The first call, with shapes of parameters to be found."""

    name = "first call"


class FirstCallStatic(FirstCall):
    """The same, with memory that is kept."""

    name = "first call, static_alloc"

    def prepare(self) -> None:
        super().prepare()
        self.net.hybridize(static_alloc=True, static_shape=True)


class FirstCallEager(FirstCall):
    """The same, line by line."""

    name = "first call, imperative"

    def prepare(self) -> None:
        super().prepare()
        self.net.hybridize(False)


class SecondCall(Scenario):
    """A call with another shape."""

    name = "call with another shape"

    def prepare(self) -> None:
        super().prepare()
        self.net.hybridize(static_alloc=True)
        self.net(data(2))
        self.net(data(2))


class TrainingStep(Scenario):
    """A whole step: forward, backward, update."""

    name = "training step"

    def prepare(self) -> None:
        super().prepare()
        for _ in range(2):  # what is computed from parameters alone is kept from here on
            self.net(self.x)
        self.trainer = gluon.Trainer(self.net.collect_params(), "adam", {"learning_rate": 0.1})

    def act(self) -> None:
        with autograd.record():
            loss = (self.net(self.x) ** 2).sum()
        loss.backward()
        self.trainer.step(4)

    def check(self) -> None:
        super().check()
        self.act()
        super().check()


class ImperativeStep(TrainingStep):
    """The same, line by line."""

    name = "training step, imperative"

    def prepare(self) -> None:
        super().prepare()
        self.net.hybridize(False)


class StaticStep(TrainingStep):
    """The same, with memory that is kept."""

    name = "training step, static_alloc"

    def prepare(self) -> None:
        super().prepare()
        self.net.hybridize(static_alloc=True, static_shape=True)
        for _ in range(2):
            self.net(self.x)


class PartialStep(TrainingStep):
    """A step of which the loss leaves out an output: the first one makes a program for that."""

    name = "step from one output of two"

    def prepare(self) -> None:
        super().prepare()
        self.net = Forked(make_net())
        self.net.side.initialize()
        self.net.hybridize()
        self.net(self.x)
        self.trainer = gluon.Trainer(self.net.collect_params(), "adam", {"learning_rate": 0.1})

    def act(self) -> None:
        with autograd.record():
            loss = (self.net(self.x)[0] ** 2).sum()
        loss.backward()
        self.trainer.step(4, ignore_stale_grad=True)

    def check(self) -> None:
        check_switches()
        before = self.net.side.running_mean.data().asnumpy()
        self.act()
        self.act()
        check(numpy.array_equal(self.net.side.running_mean.data().asnumpy(), before), "the loss reached another output")
        check_net(self.net.trunk, self.x)
        whole = self.net(self.x)[1].asnumpy()
        self.net.hybridize(False)
        check(numpy.allclose(whole, self.net(self.x)[1].asnumpy(), rtol=1e-5), "the other output is something else")


class BranchStep(TrainingStep):
    """A step through a branch that holds a layer with a state: there is no program for it."""

    name = "step through a branch"

    def prepare(self) -> None:
        super().prepare()
        self.net = Branching(make_net())
        self.net.side.initialize()
        self.net.hybridize()
        self.net(self.x)
        self.trainer = gluon.Trainer(self.net.collect_params(), "adam", {"learning_rate": 0.1})


class LoadStates(TrainingStep):
    """The states of a trainer, from a file."""

    name = "Trainer.load_states"

    def prepare(self) -> None:
        super().prepare()
        TrainingStep.act(self)
        self.trainer.save_states(str(self.folder / "trainer.states"))
        TrainingStep.act(self)

    def act(self) -> None:
        self.trainer.load_states(str(self.folder / "trainer.states"))

    def check(self) -> None:
        Scenario.check(self)
        TrainingStep.act(self)
        Scenario.check(self)


class Cast(Scenario):
    """Another element type for all parameters."""

    name = "cast"

    def prepare(self) -> None:
        super().prepare()
        self.net(self.x)

    def act(self) -> None:
        self.net.cast("float64")

    def check(self) -> None:
        types = {numpy.dtype(p.dtype) for p in self.net.collect_params().values()}
        check(len(types) == 1, f"the parameters have several types: {types}")
        self.x = self.x.astype(types.pop())
        super().check()
        self.x = data()


class Hybridize(Scenario):
    """Another way of compiling."""

    name = "hybridize"

    def prepare(self) -> None:
        super().prepare()
        self.net(self.x)

    def act(self) -> None:
        self.net.hybridize(static_alloc=True)


class Reinitialize(Scenario):
    """New values for all parameters."""

    name = "initialize again"

    def prepare(self) -> None:
        super().prepare()
        self.net(self.x)
        self.before = values_of(self.net)

    def act(self) -> None:
        self.net.initialize(mx.init.Constant(0.25), force_reinit=True)

    def check(self) -> None:
        now = values_of(self.net)
        kept = [numpy.array_equal(a, b) for name, a, b in pairs(self.before, now) if "weight" in name]
        check(all(kept) or not any(kept), "some parameters are new, and some are not")
        super().check()


class Load(Scenario):
    """Values from a file for all parameters."""

    name = "load_parameters"

    def prepare(self) -> None:
        super().prepare()
        self.net(self.x)
        self.net(self.x)
        self.before = values_of(self.net)
        other = make_net()
        other(self.x)
        other.save_parameters(str(self.folder / "other.params"))
        self.after = values_of(other)

    def act(self) -> None:
        self.net.load_parameters(str(self.folder / "other.params"))

    def check(self) -> None:
        now = list(values_of(self.net).values())
        ways = [list(self.before.values()), list(self.after.values())]
        same = [all(map(numpy.array_equal, now, way)) for way in ways]
        check(any(same), "some parameters are those of the file, and some are not")
        super().check()


class Scopes(Scenario):
    """Scopes one within another."""

    name = "scopes"

    def act(self) -> None:
        with mx.cpu(1), mx.AttrScope(ctx_group="a"), mx.name.Prefix("p_"), self.net.name_scope(), autograd.record():
            with mx.util.np_shape(), mx.util.np_array(), autograd.pause(), autograd.train_mode():
                sym.var("x")
            sym.relu(sym.var("x"))


class Save(Scenario):
    """A file that is written over."""

    name = "save_parameters"
    writes = True

    def prepare(self) -> None:
        super().prepare()
        self.net(self.x)
        with autograd.record():
            loss = self.net(self.x).sum()
        loss.backward()
        self.trainer = gluon.Trainer(self.net.collect_params(), "adam")
        self.trainer.step(1)
        for path in self.folder.iterdir():
            path.unlink()
        self.act()
        self.old = contents(self.folder)
        self.trainer.step(1, ignore_stale_grad=True)
        for parameter in self.net.collect_params().values():
            parameter.set_data(parameter.data() + 1)
        loss = None
        self.trainer.optimizer.set_learning_rate(0.5)
        self.new: dict[str, bytes] = {}

    def act(self) -> None:
        self.net.save_parameters(str(self.folder / "net.params"))

    def check(self) -> None:
        """Check that every file is whole, and that there are no others after the next time."""
        check_switches()
        now = contents(self.folder)
        strays = set(now) - set(self.old)
        self.act()
        new = contents(self.folder)
        for name, content in now.items():
            if name not in strays:
                check(content in (self.old[name], new[name]), f"{name} is neither the old file nor the new one")
        check(set(new) == set(self.old), f"files were left: {set(new) - set(self.old)}")
        self.strays = strays


class SaveStates(Save):
    """The states of a trainer."""

    name = "Trainer.save_states"

    def act(self) -> None:
        self.trainer.save_states(str(self.folder / "trainer.states"))


class Export(Save):
    """Two files."""

    name = "export"

    def act(self) -> None:
        self.net.export(str(self.folder / "net"))


class Pictures(Save):
    """The drawing of a graph, as text."""

    name = "graph().save"

    def act(self) -> None:
        self.net.graph(self.x if self.net[2].bias.data()[0].asscalar() < 1 else data(7)).save(self.folder / "net.dot")


class Library(Save):
    """A compiled library that is kept."""

    name = "cache of the backend c"

    silent = True

    def __init__(self) -> None:
        super().__init__()
        self.cache_before = os.environ.get("XDG_CACHE_HOME")

    def prepare(self) -> None:
        os.environ["XDG_CACHE_HOME"] = str(self.folder)
        self.folder.joinpath("d2lhybrid", "c").mkdir(parents=True, exist_ok=True)
        self.number = 0
        self.act()
        self.old = contents(self.folder / "d2lhybrid" / "c")
        self.number = 1

    def act(self) -> None:
        library_cache.keep("key", bytes([self.number]) * 5000)
        library_cache.fetch("key")

    def check(self) -> None:
        """Check as for any file, and that what is found is whole."""
        check(library_cache.fetch("key") in (bytes(5000), bytes([1]) * 5000), "the library is lost")
        root, self.folder = self.folder, self.folder / "d2lhybrid" / "c"
        try:
            super().check()
        finally:
            self.folder = root

    def close(self) -> None:
        """Remove the folder, and have the user's own one again."""
        super().close()
        os.environ.pop("XDG_CACHE_HOME")
        if self.cache_before is not None:
            os.environ["XDG_CACHE_HOME"] = self.cache_before


def contents(folder: pathlib.Path) -> dict[str, bytes]:
    """Return all files of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def values_of(net: Any) -> dict[str, numpy.ndarray]:
    """Return copies of all parameters."""
    return {name: p.data().asnumpy().copy() for name, p in net.collect_params().items()}


def pairs(a: dict[str, Any], b: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    """Return what two dictionaries have under the same names."""
    return [(name, a[name], b[name]) for name in a]


SCENARIOS: list[type[Scenario]] = [
    FirstCall, FirstCallStatic, FirstCallEager, SecondCall, TrainingStep, ImperativeStep, StaticStep, PartialStep,
    BranchStep, LoadStates, Cast, Hybridize, Reinitialize,
    Load, Scopes, Save, SaveStates, Export, Pictures, Library,
]  # fmt: skip
