"""Questions about nets: their structure, results, and programs."""

from __future__ import annotations

import contextlib
import copy
import functools
import io
import os
import pathlib
import sys
from collections.abc import Iterator
from typing import Any

import numpy

from d2lhybrid import autograd, gluon, random
from d2lhybrid import ndarray as nd
from d2lhybrid.gluon import Block, HybridBlock
from d2lhybrid.ndarray.ndarray import NDArray

from ...device import array_modules
from .session import Session, probe
from .values import to_arrays, to_plain

__all__ = ["tree_of"]


def tree_of(net: Block) -> list[list[Any]]:
    """Return the path, the class name, a flag for HybridBlocks, and the names of all bases of each block of a net."""
    found: list[list[Any]] = []

    def walk(block: Block, path: str) -> None:
        names = [base.__name__ for base in type(block).__mro__]
        found.append([path, type(block).__name__, isinstance(block, HybridBlock), names])
        for name, child in block._children.items():
            walk(child, f"{path}.{name}" if path else name)

    walk(net, "")
    return found


def _count_runs(session: Session, net: Block) -> None:
    """Start counting the runs of the user's ``hybrid_forward`` or ``forward``."""
    name = "hybrid_forward" if isinstance(net, HybridBlock) else "forward"
    method = getattr(net, name)
    session.kept["runs"] = 0

    def counted(*args: Any, **kwargs: Any) -> Any:
        session.kept["runs"] += 1
        return method(*args, **kwargs)

    net.__dict__[name] = counted


@probe
def make(session: Session, args: Any = (), kwargs: Any = None) -> dict[str, Any]:
    """Create two nets with the answer, or use the answer if it is a net, and describe the net.

    The description also says whether the two nets share parameters, and whether the answer changed its arguments.
    """
    answer = session.answer
    if isinstance(answer, Block):
        net = another = answer
        given = args
    else:
        given, again = copy.deepcopy(args), copy.deepcopy(args)
        net = answer(*args, **(kwargs or {}))
        another = answer(*again, **(kwargs or {})) if isinstance(net, Block) else None
    if not isinstance(net, Block):
        return {"block": False, "type": type(net).__name__, "tree": []}
    ours, theirs = ({id(p) for p in one._collect_params_with_prefix().values()} if isinstance(one, Block) else set()
                    for one in (net, another))  # fmt: skip
    shared = net is not answer and (another is net or not ours.isdisjoint(theirs))
    session.net = net
    _count_runs(session, net)
    return {"block": True, "type": type(net).__name__, "tree": tree_of(net), "shared": shared,
            "changed": None if given == args else to_plain(args)}  # fmt: skip


@probe
def start(session: Session, inputs: list[Any]) -> list[dict[str, Any]]:
    """Initialize the net, call it once so that all shapes are known, and describe the net's parameters."""
    net = session.net
    with contextlib.redirect_stdout(io.StringIO()):
        net.initialize(force_reinit=True)
        net(*to_arrays(inputs))
    structural = {p.name: name for name, p in net._collect_params_with_prefix().items()}
    return [
        {"name": p.name, "path": structural.get(p.name, p.name), "shape": list(p.shape), "grad": p.grad_req}
        for p in net.collect_params().values()
    ]


@probe
def set_parameters(session: Session, values: dict[str, Any]) -> None:
    """Set the values of the net's parameters."""
    parameters = session.net.collect_params()
    for name, array in values.items():
        parameters[name].set_data(to_arrays(array))


@probe
def parameters(session: Session) -> dict[str, Any]:
    """Return the values of all parameters of the net, by name."""
    return {p.name: p.data() for p in session.net.collect_params().values()}


@probe
def hybridize(session: Session, active: bool = True) -> None:
    """Hybridize the net, or switch its compilation off."""
    session.net.hybridize(active)


@probe
def run(
    session: Session,
    inputs: list[Any],
    train: bool = False,
    seed: int | None = None,
    gradients: bool = False,
    arriving: Any = None,
) -> dict[str, Any]:
    """Call the net, and return its outputs, the printed text, the number of runs of its code, and gradients.

    The gradients are those of the sum of the first output, or of the first output's product with ``arriving``.

    Parameters
    ----------
    session : Session
        The session with a net.
    inputs : list of array
        Arguments of the net.
    train : bool
        Whether the net runs in training mode.
    seed : int, optional
        Seed of the random generators.
    gradients : bool
        Whether to compute gradients.
    arriving : array, optional
        The gradient that arrives at the first output; ones by default.

    Returns
    -------
    dict of str to object
        The outputs, the printed text, the number of runs of ``hybrid_forward`` (or ``forward``), and, if requested, the
        gradients.
    """
    net = session.net
    arrays = to_arrays(inputs)
    if seed is not None:
        random.seed(seed)
    before = session.kept["runs"]
    printed = io.StringIO()
    result: dict[str, Any] = {}
    with contextlib.redirect_stdout(printed):
        if gradients:
            for array in arrays:
                array.attach_grad()
            with autograd.record(train_mode=train):
                out = net(*arrays)
            first = out if isinstance(out, NDArray) else out[0]
            first.backward(None if arriving is None else to_arrays(arriving))
            result["input_gradients"] = [array.grad for array in arrays]
            result["gradients"] = {p.name: p.grad() for p in net.collect_params().values() if p.grad_req != "null"}
        else:
            with autograd.train_mode() if train else autograd.predict_mode():
                out = net(*arrays)
    outputs = list(out) if isinstance(out, list | tuple) else [out]
    result["outputs"] = to_plain(outputs)
    result["printed"] = printed.getvalue()[:10000]
    result["runs"] = session.kept["runs"] - before
    return result


@probe
def graph(session: Session, train: bool = False) -> dict[str, Any]:
    """Return the graph, the input names, and the parameters that ``export`` would write for the hybridized net.

    Parameters
    ----------
    session : Session
        The session with a net.
    train : bool
        Ignored, because the graph is the same in training mode.

    Returns
    -------
    dict of str to object
        The graph in JSON, the names of the inputs, and the parameters.

    Raises
    ------
    TypeError
        If the net is not a HybridBlock.
    RuntimeError
        If the net has no graph.
    """
    net = session.net
    if not isinstance(net, HybridBlock):
        raise TypeError(f"{type(net).__name__} is not a HybridBlock, so it has no graph")
    if net._cached_graph is None:
        raise RuntimeError("the net has no graph")
    variables, symbol = net._cached_graph
    values = {p.name: p.data() for p in net.collect_params().values()}
    used = set(symbol.list_inputs())
    return {
        "symbol": symbol.tojson(),
        "inputs": [v.name for v in variables if v is not None],
        "parameters": {name: array for name, array in values.items() if name in used},
    }


@probe
def signatures(session: Session) -> int:
    """Return the number of the net's compiled programs."""
    return len(session.net.programs)


@probe
def files(session: Session, contents: dict[str, bytes]) -> str:
    """Write files into the session's folder, and return the folder."""
    for name, data in contents.items():
        (session.folder / name).write_bytes(data)
    return str(session.folder)


class _Loss(gluon.loss.Loss):
    """A loss that depends on the order of its arguments: half the mean of ``(output - 2 * label) ** 2``."""

    def __init__(self) -> None:
        super().__init__(None, 0)

    def hybrid_forward(self, F: Any, prediction: Any, label: Any) -> Any:
        return F.mean(F.square(prediction - 2 * label), axis=1) / 2


@probe
def training_step(
    session: Session, widths: list[int], weights: list[Any], data: list[Any], labels: list[Any], rate: float,
    momentum: float, hybridized: bool,
) -> dict[str, Any]:  # fmt: skip
    """Call the answer as ``answer(net, trainer, loss, x, y)`` for several batches, and return the final weights.

    Parameters
    ----------
    session : Session
        The session, whose answer is a function.
    widths : list of int
        The number of input features, and the number of units of each dense layer.
    weights : list of array
        Initial values of the parameters.
    data, labels : list of array
        The data and the labels of each batch.
    rate, momentum : float
        Settings of the optimizer SGD.
    hybridized : bool
        Whether to hybridize the net.

    Returns
    -------
    dict of str to object
        The final weights, and the result of each call of the answer.
    """
    net = gluon.nn.HybridSequential()
    for width in widths[1:]:
        net.add(gluon.nn.Dense(width, in_units=widths[0] if len(net) == 0 else 0))
    net.initialize()
    if hybridized:
        net.hybridize()
    net(nd.zeros((1, widths[0])))
    for parameter, value in zip(net.collect_params().values(), weights, strict=True):
        parameter.set_data(to_arrays(value))
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": rate, "momentum": momentum})
    loss = _Loss()
    results = [to_plain(session.answer(net, trainer, loss, to_arrays(x), to_arrays(y)))
               for x, y in zip(data, labels, strict=True)]  # fmt: skip
    return {"weights": [p.data() for p in net.collect_params().values()], "results": results}


class _Input(NDArray):
    """An input array whose waits return immediately, even while values are computed from the array."""

    def wait_to_read(self) -> None:
        """Return immediately."""


class _Clock(HybridBlock):
    """A net whose calls take known times; it advances a fake clock instead of waiting.

    Calls run in the background, as on a GPU, so their time passes only when the caller waits for them. After
    ``hybridize``, the next call takes as long as the first call.
    """

    def __init__(self, seconds: list[float], x: NDArray) -> None:
        super().__init__()
        self.x = x
        self.first, *self.others = seconds
        self.calls = self.warm = 0
        self.now, self.under_way, self.cold = 1000.0, 0.0, True

    def __call__(self, *args: Any) -> Any:
        if len(args) != 1 or args[0] is not self.x:
            raise ValueError("the net must be called with x itself as the only argument")
        self.under_way += self.first if self.cold else self.others[self.warm % len(self.others)]
        self.calls += 1
        self.warm += not self.cold
        self.cold = False
        return nd.zeros((1,))

    def forward(self, x: Any, *args: Any) -> Any:
        return self(x)

    def hybridize(self, active: bool = True, *args: Any, **kwargs: Any) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        self.cold = True

    def wait(self, *args: Any) -> None:
        self.now, self.under_way = self.now + self.under_way, 0.0

    def read(self) -> float:
        self.now += 1e-9
        return self.now

    @contextlib.contextmanager
    def waited_for(self) -> Iterator[None]:
        """Finish the calls whenever the answer waits for arrays or reads them."""
        before = array_modules.synchronize, array_modules.asnumpy

        def asnumpy(*args: Any, **kwargs: Any) -> Any:
            self.wait()
            return before[1](*args, **kwargs)

        array_modules.synchronize, array_modules.asnumpy = self.wait, asnumpy
        try:
            yield
        finally:
            array_modules.synchronize, array_modules.asnumpy = before


@probe
def timed(session: Session, seconds: list[float], calls: int) -> dict[str, Any]:
    """Call the answer as ``answer(net, x, calls, clock)`` with a net of known speed.

    Parameters
    ----------
    session : Session
        The session, whose answer is a function.
    seconds : list of float
        The time of the first call of the net, and of each later call.
    calls : int
        Number of calls to measure.

    Returns
    -------
    dict of str to object
        The result of the answer, the number of calls of the net, and the number of calls after the first.
    """
    x = _Input(nd.zeros((1,))._data)
    clock = _Clock(seconds, x)
    with clock.waited_for():
        result = session.answer(clock, x, calls, clock.read)
    return {"result": to_plain(result), "calls": clock.calls, "warm": clock.warm}


#: The files that were opened for reading during a watched question; None during other questions.
_reading: list[str] | None = None


def _watch_reading(event: str, arguments: tuple[Any, ...]) -> None:
    if _reading is not None and event == "open" and not (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR):
        _reading.append(str(arguments[0]))


@functools.cache
def _install_watch() -> None:
    sys.addaudithook(_watch_reading)  # audit hooks cannot be removed


@contextlib.contextmanager
def _watching_reading() -> Iterator[list[str]]:
    global _reading
    _install_watch()
    _reading = []
    try:
        yield _reading
    finally:
        _reading = None


@probe
def round_trip(session: Session, weights: Any, x: Any, scale: float) -> dict[str, Any]:
    """Call the answer as ``answer(net, x, path)``, change the net, and return the results of the returned block.

    Parameters
    ----------
    session : Session
        The session, whose answer is a function.
    weights : list of array
        Values of the parameters of the net's two dense layers.
    x : array
        Argument of the net.
    scale : float
        Factor of the input for the returned block.

    Returns
    -------
    dict of str to object
        The type of the result, its output if it is a block, the written files, and the names of the files that were
        read.
    """
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(len(weights[0]), activation="tanh"), gluon.nn.Dense(len(weights[2])))
    net.initialize()
    array = to_arrays(x)
    net(array)
    for parameter, value in zip(net.collect_params().values(), weights, strict=True):
        parameter.set_data(to_arrays(value))
    path = str(session.folder / "model")
    with _watching_reading() as opened:
        again = session.answer(net, array, path)
    read = {pathlib.Path(name).name for name in opened if name.startswith(path)}
    for parameter in net.collect_params().values():
        parameter.set_data(parameter.data() * 0)
    written = {p.name: p.read_bytes() for p in sorted(session.folder.glob("model*"))}
    result: dict[str, Any] = {"type": type(again).__name__, "files": written, "read": sorted(read)}
    if isinstance(again, Block):
        result["output"] = again(array * scale)
    return result


@probe
def call_on_files(session: Session, contents: dict[str, bytes], args: list[Any], call_with: Any = None) -> Any:
    """Write files, call the answer with their paths and further arguments, and describe the answer's result.

    Parameters
    ----------
    session : Session
        The session, whose answer is a function.
    contents : dict of str to bytes
        Content of each file.
    args : list
        Further arguments of the answer.
    call_with : array, optional
        Argument for a call of the result, if the result is a block.

    Returns
    -------
    dict of str to object
        The type of the result, and its value or, if it is a block, the output of its call.
    """
    paths = []
    for name, data in contents.items():
        (session.folder / name).write_bytes(data)
        paths.append(str(session.folder / name))
    result = session.answer(*paths, *args)
    found: dict[str, Any] = {"type": type(result).__name__, "result": to_plain(result)}
    if isinstance(result, Block):
        found["result"] = None
        if call_with is not None:
            out = result(to_arrays(call_with))
            found["output"] = out if isinstance(out, NDArray) else numpy.zeros(0)
    return found
