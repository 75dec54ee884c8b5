"""Methods of :class:`Block` that write and read files, in MXNet's format.

``net.save_parameters`` writes parameters, and ``net.save`` also writes the tree of blocks to ``-model.json``. For each
block, this file contains the block's name, the names of its children, and its graph if the block was hybridized and
called. ``net.load`` restores these names. The net then runs the saved graph and isn't traced.
"""

from __future__ import annotations

import itertools
import json
import warnings
from collections import OrderedDict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .. import ndarray as nd
from ..error import MismatchError, MXNetError, UnexpectedNameError
from ..internals.support.commit import Change, all_or_nothing, commit, put
from ..internals.support.filesystem import files_together, read_text, write_text
from ..ndarray import io
from ..symbol import load_json
from ..util import is_np_array
from .utils import _brief_print_list

if TYPE_CHECKING:
    from .block import Block

__all__ = ["load", "load_parameters", "load_params", "save", "save_parameters", "save_params"]


def save_parameters(self: Block, filename: str, deduplicate: bool = False) -> None:
    """Save the values of all parameters by structural name, such as ``0.weight``.

    Parameters
    ----------
    filename : str
        Path of the file.
    deduplicate : bool
        Whether to save a shared parameter only once, under the last of its names.
    """
    params = self._collect_params_with_prefix()
    if deduplicate:
        params = {n: p for p, n in {p: n for n, p in params.items()}.items()}
    nd.save(filename, {name: p._reduce() for name, p in params.items()})


def save_params(self: Block, filename: str) -> None:
    """Save the values of all parameters, and warn that this method is deprecated in favor of :meth:`save_parameters`.

    Parameters
    ----------
    filename : str
        Path of the file.
    """
    warnings.warn(
        "save_params is deprecated. Please use save_parameters. Note that if you want load from SymbolBlock later, "
        "please use export instead. For details, see https://mxnet.apache.org/tutorials/gluon/save_load_params.html",
        stacklevel=2,
    )
    self.collect_params().save(filename, strip_prefix=self.prefix)


def load_parameters(
    self: Block,
    filename: str,
    ctx: Any = None,
    allow_missing: bool = False,
    ignore_extra: bool = False,
    cast_dtype: bool = False,
    dtype_source: str = "current",
) -> None:
    """Load the values of all parameters.

    Parameters
    ----------
    filename : str
        File that :meth:`save_parameters`, ``export``, or an older version of MXNet wrote.
    ctx : Context or list of Context, optional
        Devices of parameters that are not initialized yet.
    allow_missing, ignore_extra : bool
        Whether to accept parameters that only the net has, and parameters that only the file has.
    cast_dtype : bool
        Whether to accept element types that differ from the net's.
    dtype_source : {"current", "saved"}
        The element type to keep if the types differ: the net's (``"current"``) or the file's (``"saved"``).

    Raises
    ------
    MXNetError
        If the file is damaged or missing. In NumPy mode, this error is a ValueError. If the file lacks a parameter, or
        contains it with another shape or element type, the error is also an AssertionError. If the file contains a
        parameter that the net lacks, the error is also a ValueError.
    """
    try:
        loaded = io.load_parameters(filename)
    except MXNetError as error:
        if not is_np_array():
            raise
        refused = ValueError(str(error))  # as in MXNet, which then tries to read the format from before NumPy's shapes
        for note in getattr(error, "__notes__", ()):
            refused.add_note(note)
        raise refused from None
    params = self._collect_params_with_prefix()
    if not loaded and not params:
        return
    if not isinstance(loaded, dict):
        error = UnexpectedNameError(f"{filename!r} contains arrays without names, so it is not a parameter file")
        error.add_note("Read the arrays with nd.load(filename), or pass a file that save_parameters wrote.")
        raise error
    if not any("." in name for name in loaded):
        del loaded
        self.collect_params().load(
            filename, ctx, allow_missing, ignore_extra, self.prefix, cast_dtype=cast_dtype,
            dtype_source=dtype_source,
        )  # fmt: skip
        return
    if not allow_missing:
        by_parameter: dict[Any, set[str]] = {}
        for name, parameter in params.items():
            by_parameter.setdefault(parameter, set()).add(name)
        for name, parameter in params.items():
            if not any(other in loaded for other in by_parameter[parameter]):
                raise MismatchError(
                    f"Parameter '{name}' is missing in file '{filename}', which contains parameters: "
                    f"{_brief_print_list(loaded)}. Set allow_missing=True to ignore missing parameters."
                )
    if not ignore_extra:
        for name in loaded:
            if name not in params:
                raise UnexpectedNameError(
                    f"Parameter '{name}' loaded from file '{filename}' is not present in ParameterDict, which "
                    f"contains parameters {_brief_print_list(self._params.keys())}. Set ignore_extra=True to ignore. "
                )
    changes = []
    for name, value in loaded.items():
        if name in params:
            changes += params[name]._with_loaded(value, ctx, cast_dtype, dtype_source)
    commit(changes)


def load_params(
    self: Block, filename: str, ctx: Any = None, allow_missing: bool = False, ignore_extra: bool = False
) -> None:
    """Load the values of all parameters, and warn that this method is deprecated in favor of :meth:`load_parameters`.

    Parameters
    ----------
    filename, ctx, allow_missing, ignore_extra
        Arguments of :meth:`load_parameters`.
    """
    warnings.warn("load_params is deprecated. Please use load_parameters.", stacklevel=2)
    self.load_parameters(filename, ctx, allow_missing, ignore_extra)


def save(self: Block, prefix: str) -> None:
    """Save names, graphs, and parameters. A net that the same code creates can load the files with :meth:`load`.

    Parameters
    ----------
    prefix : str
        Path prefix of both files: ``prefix-model.json`` and ``prefix-model.params``.

    See Also
    --------
    HybridBlock.export : Write files that can be loaded without the program.

    Examples
    --------
    >>> import tempfile
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> net, again = nn.Dense(2, in_units=3), nn.Dense(2, in_units=3)
    >>> net.initialize()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     net.save(f"{folder}/net")
    ...     again.load(f"{folder}/net")
    >>> again.name == net.name, bool((again.weight.data() == net.weight.data()).asnumpy().all())
    (True, True)
    """
    numbers = itertools.count()
    tree = dict([_entry_of(self, numbers)])
    with files_together():
        self.save_parameters(f"{prefix}-model.params")
        write_text(f"{prefix}-model.json", json.dumps(tree))


def load(self: Block, prefix: str) -> None:
    """Load the values, names, and graphs that :meth:`save` or MXNet wrote. Loaded graphs are not traced again.

    Parameters
    ----------
    prefix : str
        Path prefix of the files ``prefix-model.json`` and ``prefix-model.params``.

    Raises
    ------
    MXNetError
        If a file cannot be read, or if the net's structure differs from the saved net's. The net stays unchanged.
    """
    path = f"{prefix}-model.json"
    try:
        tree = json.loads(read_text(path))
        changes = list(_changes(self, tree, itertools.count()))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        failure = MXNetError(f'"{path}" does not match this net, or was not written by save(): {_reason(error)}')
        failure.add_note("Create the net with the same code that created the saved net.")
        raise failure from None
    parts = self._parts()
    with all_or_nothing(*parts, *(part.params for part in parts if hasattr(part, "_children"))):
        # load_parameters finds values by the names of children, so rename the children first.
        commit(changes)
        self.load_parameters(f"{prefix}-model.params")


def _key(block: Block, number: int) -> str:
    return f"{type(block).__name__.lower()}{number}"


def _entry_of(block: Any, numbers: Iterator[int]) -> tuple[str, dict[str, Any]]:
    """Return the file's entry for a block and its children. The keys contain consecutive numbers."""
    key = _key(block, next(numbers))
    entry: dict[str, Any] = {"orig_name": block.name}
    if hasattr(block, "_cached_graph"):
        graph = block._cached_graph if block._active else None
        if graph is not None:
            entry |= {"in_format": block._in_format, "out_format": block._out_format}
            entry["inputs"] = [v if v is None else v.tojson() for v in graph[0]]
            entry["symbol"] = graph[1].tojson()
        entry["hybridized"] = graph is not None
    entry["children"] = _children_of(block)
    entry.update(_entry_of(child, numbers) for child in block._children.values())
    return key, entry


def _children_of(block: Any) -> dict[str, str]:
    """Return the key of each child, by the child's name. A child that is registered twice has its last key."""
    return {child.name: key for key, child in block._children.items()}


def _changes(block: Any, entries: dict[str, Any], numbers: Iterator[int]) -> Iterator[Change]:
    """Yield the changes to a block and its children."""
    entry = entries[_key(block, next(numbers))]
    name, children, own = str(entry["orig_name"]), list(entry["children"].values()), list(_children_of(block).values())
    if children != own:
        yield _called(block, own, children)
    yield from _renamed(block, name)
    if hasattr(block, "_cached_graph"):
        graph = {"_cached_graph": block.__getstate__()["_cached_graph"]}  # only a SymbolBlock keeps its graph
        if entry["hybridized"]:
            inputs = [v if v is None else _symbol(v) for v in entry["inputs"]]
            graph = {"_cached_graph": (inputs, _symbol(entry["symbol"])), "_active": True, "_block_calls": ()}
            graph |= {"_in_format": _form(entry["in_format"]), "_out_format": _form(entry["out_format"])}
        yield from put(block, _cached_op=None, _fast_call=None, **graph)
    for child in block._children.values():
        yield from _changes(child, entry, numbers)


def _called(block: Any, own: list[str], names: list[str]) -> Change:
    """Return the change that gives children the names from a file, if their current names are generated."""
    generated = len(own) == len(names) == len(block._children) == len(set(names))
    for before, after in zip(own, names, strict=False):
        generated = generated and (
            before == after or not (before in vars(block) or after in vars(block) or before.isdigit())
        )
    if not generated:
        raise ValueError(f"{block.name} has the children {own}, but the saved block has the children {names}")
    return put(block, _children=OrderedDict(zip(names, block._children.values(), strict=True)))[0]


def _renamed(block: Any, name: str) -> list[Change]:
    """Return the changes that rename a block and its parameters, which a graph looks up by name."""
    before, prefix = block.params.prefix, f"{name}_"
    if before != f"{block.name}_":  # in a SymbolBlock, without a prefix, or shared with another block
        return put(block, _name=name)
    parameters: OrderedDict[str, Any] = OrderedDict()
    changes = put(block, _name=name, _prefix=prefix)
    for key, parameter in block.params.items():
        own = key.startswith(before) and parameter.name == key
        new = prefix + key.removeprefix(before) if own else key
        parameters[new] = parameter
        if own:
            changes += put(parameter, name=new, _var=None)
    return [*changes, *put(block.params, _prefix=prefix, _params=parameters)]


def _form(form: Any) -> Any:
    """Return the nesting of arguments or results from a file. Raise an error if it is not a nested list of integers."""
    if isinstance(form, list):
        return [_form(part) for part in form]
    if type(form) is not int:
        raise ValueError(f"{form!r} does not describe the nesting of arguments or results")
    return form


def _symbol(text: str) -> Any:
    """Return the graph in ``text``. Its outputs are arrays of the current dialect."""
    symbol = load_json(text)
    return symbol.as_np_ndarray() if is_np_array() else symbol


def _reason(error: Exception) -> str:
    return f"the entry {error} is missing" if isinstance(error, KeyError) else str(error) or type(error).__name__
