"""Access to intermediate values of a hybridized net, which the compiled program computes.

A program keeps only the values that it needs. To return more values, ``peek`` compiles the same graph again with the
requested values as additional outputs. The compiler keeps these values and treats all other values as before. The
second program runs only inside ``with net.peek(...)``. Other calls of the net run the first program at no extra cost.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ..internals.core.cached_op import CachedOp
from ..internals.core.node import Entry, entry_name
from ..internals.support.plural import counted
from ..internals.support.suggestions import did_you_mean
from ..symbol.symbol import Symbol
from .block import Block, flatten, regroup

if TYPE_CHECKING:
    from .hybrid_block import HybridBlock

__all__ = ["Peek", "TracedCall"]

#: A traced call: the block, its arguments, and its results. Arguments and results are symbols.
TracedCall = tuple[Block, tuple[Any, ...], Any]


class Peek:
    """The values that :meth:`HybridBlock.peek` collects. ``peek[name]`` is the named value in the last call.

    Attributes
    ----------
    calls : list of dict of str to NDArray
        For each call inside the scope, the requested values by name.

    Raises
    ------
    TypeError
        If a requested value is neither a name nor a block.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> net = nn.HybridSequential(prefix="net_")
    >>> with net.name_scope():
    ...     net.add(nn.Dense(2, activation="relu"), nn.Dense(1))
    >>> net.initialize()
    >>> net.hybridize()
    >>> with net.peek("dense0_relu_fwd") as seen:
    ...     y = net(nd.ones((3, 4)))
    >>> seen["dense0_relu_fwd"].shape
    (3, 2)
    """

    def __init__(self, net: HybridBlock, wishes: Sequence[str | Block]) -> None:
        for wish in wishes:
            if not isinstance(wish, str | Block):
                raise TypeError(f"each argument of peek must be a Block or the name of a value, not {wish!r}")
        self._net, self._wishes = net, tuple(wishes)
        self.calls: list[dict[str, Any]] = []
        self._programs: dict[int, tuple[CachedOp, CachedOp, list[str], list[TracedCall]]] = {}

    def __getitem__(self, name: str) -> Any:
        """Return a value of the last call.

        Raises
        ------
        KeyError
            If the net was not called, or if the last call has no value of that name.
        """
        if not self.calls:
            raise KeyError(f"{name!r} has no value: the net was not called in the `with net.peek(...)` statement")
        last = self.calls[-1]
        if name in last:
            return last[name]
        error = KeyError(f"{name!r} is not among the values of the net's last call: {', '.join(last) or 'none'}")
        if self._wishes:
            error.add_note("To see another value, pass its name or its block to net.peek.")
        raise error

    def __iter__(self) -> Iterator[str]:
        return iter(self.calls[-1] if self.calls else ())

    def __len__(self) -> int:
        return len(self.calls[-1]) if self.calls else 0

    def __repr__(self) -> str:
        lines = [f"<Peek into {self._net.name}: {counted(len(self.calls), 'call')}>"]
        for name in self:
            value = self[name]
            lines.append(
                f"  {name}: {numpy.dtype(value.dtype).name} {'x'.join(map(str, value.shape))} @{value.context}"
            )
        return "\n".join(lines)

    def run(self, cached: CachedOp, arrays: Sequence[Any], cls: type, ctx: Any) -> list[Any]:
        """Run the net's graph with additional outputs, store these outputs, and call the hooks of child blocks.

        Parameters
        ----------
        cached : CachedOp
            The compiled net.
        arrays : sequence of NDArray
            The inputs and the parameters, in the order of ``cached.names``.
        cls : type
            The class of the outputs.
        ctx : Context
            The device.

        Returns
        -------
        list of NDArray
            The net's own outputs.
        """
        program = self._programs.get(id(cached))
        if program is None:
            program = self._programs[id(cached)] = (cached, *self._compile(cached))
        _, peeking, names, hooked = program
        hook = self._net._op_hook
        results = peeking(arrays, cls, ctx) if hook is None else hook.run(peeking, arrays, cls, ctx)
        count = len(cached.symbol._entries)
        seen = dict(zip(names, results[count:], strict=False))
        self.calls.append(seen)
        if hooked:
            self._call_hooks(hooked, peeking, results, dict(zip(cached.names, arrays, strict=True)))
        return results[:count]

    # --- selection ---

    def _compile(self, cached: CachedOp) -> tuple[CachedOp, list[str], list[TracedCall]]:
        wanted: dict[str, Entry] = {}
        prefix = self._net.prefix
        available = {entry_name((n, i)): (n, i) for n in cached.symbol._nodes() if n.op is not None
                     for i in range(n.num_visible_outputs)}  # fmt: skip
        for wish in self._wishes or ("*",):
            if isinstance(wish, Block):
                wanted.update(self._outputs_of(wish))
            else:
                wanted.update(_matching(wish, available, prefix))
        hooked = [
            call for call in self._net._block_calls
            if call[0] is not self._net and (call[0]._forward_hooks or call[0]._forward_pre_hooks)
        ]  # fmt: skip
        entries = list(wanted.values())
        for _, args, out in hooked:
            for symbol in _symbols((args, out)):
                entries += [e for e in symbol._entries if e not in entries and e[0].op is not None]
        symbol = type(cached.symbol)([*cached.symbol._entries, *entries])
        return CachedOp(symbol, cached.names, cached.num_data, cached.flags), list(wanted), hooked

    def _outputs_of(self, block: Block) -> dict[str, Entry]:
        calls = [call for call in self._net._block_calls if call[0] is block]
        if not calls:
            raise ValueError(f"{block.name} was not called in the forward pass of {self._net.name}")
        outputs = {}
        for number, (_, _, out) in enumerate(calls):
            entries = [e for symbol in _symbols(out) for e in symbol._entries]
            for i, entry in enumerate(entries):
                label = block.name if len(calls) == 1 else f"{block.name}[{number}]"
                outputs[label if len(entries) == 1 else f"{label}.{i}"] = entry
        return outputs

    # --- hooks ---

    def _call_hooks(
        self, hooked: list[TracedCall], peeking: CachedOp, results: list[Any], given: dict[str, Any]
    ) -> None:
        """Call the hooks of child blocks, as an eager call would, with values from the program."""
        values = dict(zip(peeking.symbol._entries, results, strict=True))

        def value_of(arg: Any) -> Any:
            flat, structure = flatten(arg, "argument")
            found = []
            for symbol in flat:
                if symbol is None:
                    found.append(None)
                    continue
                for node, i in symbol._entries:
                    found.append(given[node.name] if node.op is None else values[node, i])
            return regroup(found, structure)

        for block, args, out in hooked:
            inputs = tuple(value_of(a) for a in args)
            for hook in list(block._forward_pre_hooks.values()):
                hook(block, inputs)
            outputs = value_of(out)
            for hook in list(block._forward_hooks.values()):
                hook(block, inputs, outputs)


def _symbols(nested: Any) -> list[Symbol]:
    if isinstance(nested, Symbol):
        return [nested]
    return [s for one in nested for s in _symbols(one)] if isinstance(nested, list | tuple) else []


def _matching(wish: str, available: dict[str, Entry], prefix: str) -> dict[str, Entry]:
    """Return the values that match a name or a pattern, with or without the net's prefix and ``_output``."""
    matches = {}
    for name, entry in available.items():
        short = name.removesuffix("_output")
        forms = {name, short, name.removeprefix(prefix), short.removeprefix(prefix)}
        if wish in forms:
            return {wish: entry}
        if any(fnmatch.fnmatchcase(form, wish) for form in forms):
            matches[short.removeprefix(prefix)] = entry
    if not matches:
        names = [name.removesuffix("_output").removeprefix(prefix) for name in available]
        raise ValueError(f"The graph has no value {wish!r}.{did_you_mean(wish, names)} Its values are: "
                         f"{', '.join(names)}")  # fmt: skip
    return matches
