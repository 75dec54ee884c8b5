"""Runs the recorded operator calls of ``golden_data/ops``.

A file holds the cases of one family, the archive beside it their arrays. A case is the call of an
operator, an expression over its inputs, or a function ``f(F, *inputs)``; with what MXNet returned,
the gradients it computed, the inputs it changed and the node that the same call makes in a graph.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy

import d2lhybrid as mx
from d2lhybrid import autograd
from d2lhybrid.error import MXNetError
from d2lhybrid.internals.core.cached_op import CachedOp
from d2lhybrid.name import NameManager
from d2lhybrid.symbol import Symbol

__all__ = ["Case", "cases_of", "check_arrays", "check_compiled", "check_symbol", "families"]

GOLDEN = Path(__file__).parent.parent / "golden_data" / "ops"
LETTERS = "abcdefgh"


class Case:
    """One recorded call.

    Attributes
    ----------
    family, id : str
        Where it is from.
    np : bool
        Whether it is a call of ``np`` or ``npx``, under NumPy semantics.
    record : dict
        What the file says.
    """

    def __init__(self, family: str, record: dict[str, Any]) -> None:
        self.family, self.id, self.record = family, record["id"], record
        self.np = record["api"] == "np"

    def arrays(self, keys: Sequence[str | None]) -> list[Any]:
        """Return arrays of the archive, None for None."""
        archive = _archive(self.family)
        return [None if key is None else archive[key] for key in keys]

    @property
    def is_graph(self) -> bool:
        """Whether the call makes a graph in MXNet, which can be run."""
        node = self.record["sym"]
        return bool(node) and "op" in node and "error" not in node


@functools.cache
def _archive(family: str) -> dict[str, numpy.ndarray]:
    with numpy.load(GOLDEN / f"{family}.npz") as archive:
        return dict(archive)


def families() -> list[str]:
    """Return the names of all families."""
    return sorted(path.stem for path in GOLDEN.glob("*.json"))


@functools.cache
def cases_of(family: str) -> list[Case]:
    """Return the cases of a family."""
    text = (GOLDEN / f"{family}.json").read_text("utf-8")
    return [Case(family, record) for record in json.loads(text)["cases"]]


@contextmanager
def semantics(case: Case) -> Iterator[None]:
    """Switch to the semantics of a case, and back."""
    if case.np:
        mx.npx.set_np()
    try:
        with numpy.errstate(all="ignore"):
            yield
    finally:
        mx.npx.reset_np()


# --- making the call -----------------------------------------------------------------------------------


def _decode(value: Any, inputs: Sequence[Any]) -> Any:
    """Return an argument: ``{"$": 0}`` is an input, ``{"t": [...]}`` a tuple, ``{"f": "inf"}`` a float."""
    if isinstance(value, dict):
        ((kind, content),) = value.items()
        if kind == "$":
            return inputs[content]
        if kind == "t":
            return tuple(_decode(v, inputs) for v in content)
        return float(content)
    if isinstance(value, list):
        return [_decode(v, inputs) for v in value]
    return value


def _find(space: Any, dotted: str) -> Callable[..., Any]:
    for part in dotted.split("."):
        space = getattr(space, part)
    return space


class _Public:
    """``F`` for arrays in a case of ``np``: the public modules."""

    np, npx = mx.np, mx.npx


def _call(case: Case, space: Any, inputs: Sequence[Any]) -> Any:
    """Make the call in a function space: the arrays' or the symbols'."""
    record = case.record
    if "op" in record:
        args = _decode(record["args"], inputs)
        kwargs = {k: _decode(v, inputs) for k, v in record["kwargs"].items()}
        return _find(space, record["op"])(*args, **kwargs)
    names = {"mx": mx, "nd": mx.nd, "np": mx.np, "npx": mx.npx, "onp": numpy, "F": space}
    if "expr" in record:
        return eval(record["expr"], {**names, **dict(zip(LETTERS, inputs, strict=False))})
    exec(record["code"].replace("import mxnet as mx", "import d2lhybrid as mx"), names)
    return names["f"](space, *inputs)


def _as_list(result: Any) -> list[Any]:
    return list(result) if isinstance(result, list | tuple) else [result]


# --- on arrays -------------------------------------------------------------------------------------------


def _array(case: Case, raw: numpy.ndarray) -> Any:
    make = mx.np.array if case.np else mx.nd.array
    return make(raw, dtype=raw.dtype)


def check_arrays(case: Case) -> None:
    """Make the call on arrays; compare results, gradients and changed inputs with MXNet's.

    Raises
    ------
    AssertionError
        If something differs.
    """
    with semantics(case):
        result, inputs = _recorded(case, lambda arrays: _call(case, _Public if case.np else mx.nd, arrays))
        kind = type(result).__name__
        assert case.record["out_list"] == isinstance(result, list | tuple), f"returned a {kind}"
        _check_values(case, _as_list(result), inputs)


def check_compiled(case: Case) -> None:
    """Make the call on symbols, compile the graph and run it; compare as for arrays.

    Raises
    ------
    AssertionError
        If something differs.
    """
    with semantics(case), NameManager():
        symbol = _group(_call(case, mx.sym, _variables(case)))
        names = symbol.list_inputs()
        op = CachedOp(symbol, names, len(names))
        cls = mx.np.ndarray if case.np else mx.nd.NDArray
        place = [int(name.removeprefix("in")) for name in names]
        outputs, inputs = _recorded(case, lambda arrays: op([arrays[i] for i in place], cls, mx.cpu()))
        _check_values(case, outputs, inputs)


def _recorded(case: Case, run: Callable[[list[Any]], Any]) -> tuple[Any, list[Any]]:
    """Return the result of a call on the recorded inputs, and these inputs."""
    inputs = [_array(case, raw) for raw in case.arrays(case.record["inputs"])]
    for array, key in zip(inputs, _grads(case), strict=True):
        if key is not None:
            array.attach_grad()
    with autograd.record(train_mode=case.record["train"]):
        return run(inputs), inputs


def _grads(case: Case) -> list[str | None]:
    return case.record.get("grads") or [None] * len(case.record["inputs"])


def _check_values(case: Case, outputs: list[Any], inputs: list[Any]) -> None:
    record = case.record
    expected = case.arrays(record["outputs"])
    assert len(outputs) == len(expected), f"{len(outputs)} outputs, expected {len(expected)}"
    for i, (output, value) in enumerate(zip(outputs, expected, strict=True)):
        _compare(case, f"output {i}", output, value)
    if record.get("heads"):
        heads = case.arrays(record["heads"])
        pairs = [(o, _array(case, h)) for o, h in zip(outputs, heads, strict=True) if h is not None]
        autograd.backward([o for o, _ in pairs], [h for _, h in pairs])
        for i, (array, value) in enumerate(zip(inputs, case.arrays(_grads(case)), strict=True)):
            if value is not None:
                _compare(case, f"gradient {i}", array.grad, value)
    for i, key in record.get("mutated", {}).items():
        _compare(case, f"changed input {i}", inputs[int(i)], case.arrays([key])[0])


def _compare(case: Case, what: str, array: Any, expected: numpy.ndarray) -> None:
    value = array.asnumpy() if hasattr(array, "asnumpy") else numpy.asarray(array)
    assert value.shape == expected.shape, f"{what}: shape {value.shape}, expected {expected.shape}"
    assert value.dtype == expected.dtype, f"{what}: {value.dtype}, expected {expected.dtype}"
    numpy.testing.assert_allclose(
        value.astype("float64"),
        expected.astype("float64"),
        case.record["rtol"],
        case.record["atol"],
        err_msg=what,
    )


# --- on symbols ------------------------------------------------------------------------------------------


def check_symbol(case: Case) -> None:
    """Make the call on symbols; compare the node, its names and the inferred shapes with MXNet's.

    Raises
    ------
    AssertionError
        If something differs.
    """
    expected = case.record["sym"]
    assert expected is not None
    with semantics(case), NameManager():
        inputs = _variables(case)
        shapes = {f"in{i}": raw.shape for i, raw in enumerate(case.arrays(case.record["inputs"]))}
        if "op" not in expected:
            _check_refusal(expected["error"], lambda: _call(case, mx.sym, inputs))
            return
        symbol = _group(_call(case, mx.sym, inputs))
        _check_node(symbol, expected)
        known = {name: shape for name, shape in shapes.items() if name in symbol.list_inputs()}
        if "error" in expected:
            _check_refusal(expected["error"], lambda: symbol.infer_shape_partial(**known))
        elif expected["infer"] is not None:
            _, outputs, _ = symbol.infer_shape(**known)
            assert [list(shape) for shape in outputs] == expected["infer"], "inferred shapes"


def _variables(case: Case) -> list[Any]:
    symbols = [mx.sym.var(f"in{i}") for i in range(len(case.record["inputs"]))]
    return [symbol.as_np_ndarray() for symbol in symbols] if case.np else symbols


def _group(result: Any) -> Symbol:
    parts = _as_list(result) if not isinstance(result, Symbol) else [result]
    flat = [p for part in parts for p in (part if isinstance(part, list | tuple) else [part])]
    return flat[0] if len(flat) == 1 else mx.sym.Group(flat)


def _check_node(symbol: Symbol, expected: dict[str, Any]) -> None:
    node = json.loads(symbol.tojson())["nodes"][-1]
    assert node["op"] == expected["op"], "operator"
    assert node["name"] == expected["name"], "name"
    assert node.get("attrs", {}) == expected["attrs"], "attributes"
    assert symbol.list_arguments() == expected["args"], "arguments"
    assert symbol.list_auxiliary_states() == expected["aux"], "auxiliary states"
    assert symbol.list_outputs() == expected["outs"], "outputs"


def _check_refusal(recorded: str, run: Callable[[], Any]) -> None:
    """Check that a call fails with the recorded kind of error, and with its first line for Python's errors."""
    kind, _, message = recorded.partition(": ")
    try:
        run()
    except Exception as error:
        kinds = [c.__name__ for c in type(error).__mro__]
        assert kind in kinds, f"{type(error).__name__}: {error}; expected {recorded}"
        if kind not in ("MXNetError",):
            assert str(error).replace("d2lhybrid.", "mxnet.") == message
        else:
            assert isinstance(error, MXNetError)
    else:
        raise AssertionError(f"no error, expected {recorded}")
