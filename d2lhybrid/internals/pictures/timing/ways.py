"""The modes of calling a net (eager, hybridized, and with static memory), and the switch between modes."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from d2lhybrid import autograd
from d2lhybrid.gluon import Block, HybridBlock
from d2lhybrid.util import config

from ...device import array_modules
from ...support.display import Shown
from ...support.settings import settings
from ..check.inputs import arrays_in, copied
from ..check.observing import Preserved
from ..check.source_reading import all_blocks, functions_of

__all__ = ["USUAL", "WAYS", "Subject", "Way", "check_ways"]

#: Name -> arguments of ``hybridize``, or None for a net that is not hybridized.
WAYS: dict[str, dict[str, Any] | None] = {
    "imperative": None,
    "hybridized": {},
    "static_alloc": {"static_alloc": True},
    "static_shape": {"static_alloc": True, "static_shape": True},
    "often": {},
}
#: The default modes. ``"often"`` is the program of tier 1, which replaces the original program when
#: a net is called often; the other modes stay in tier 0 during the measurement.
USUAL: tuple[str, ...] = ("imperative", "hybridized", "static_alloc", "static_shape")

#: Internal attributes of a hybridized block that change between two modes.
_OWN = (
    *("_active", "_flags", "_cached_graph", "_cached_op", "_in_format", "_in_legacy", "_out_format"),
    *("_fast_call", "_history", "_dropped_for"),
)


@dataclass(repr=False)
class Way(Shown):
    """A mode of calling a net, with the net's state in this mode.

    Attributes
    ----------
    name : str
        Name of the mode, a key of :data:`WAYS`.
    trace, compile : float
        Times of tracing and compiling in seconds, from the net's history; 0 if nothing was traced or compiled.
    """

    name: str
    trace: float = 0.0
    compile: float = 0.0
    _states: Sequence[dict[str, Any]] = ()


def check_ways(ways: Sequence[str]) -> None:
    """Raise an error unless the modes are ``"imperative"`` followed by other modes, without repetition.

    Raises
    ------
    ValueError
        If the first mode is not ``"imperative"``, or if a mode is unknown or repeated.
    """
    if not ways or ways[0] != "imperative" or not set(ways) <= set(WAYS) or len(set(ways)) != len(ways):
        others = ", ".join(list(WAYS)[1:])
        raise ValueError(f"ways must be 'imperative', followed by any of {others}, each at most once, not {ways!r}")


class Subject(Shown):
    """A net to time. Calls inside the context of :meth:`opened` have no lasting effects.

    Parameters
    ----------
    net : Block
        The net.
    inputs : sequence
        Arguments of the net, which are copied.
    loss : callable, optional
        Loss function. With a loss, a step is a training step: forward pass, ``loss``, and backward pass.
    label : NDArray, optional
        Second argument of the loss.

    Raises
    ------
    TypeError
        If ``net`` is not a block.
    ValueError
        If the net contains no hybrid block, if there is no input, or if ``label`` is given without ``loss``.
    """

    net: Block
    loss: Any
    inputs: Any
    label: Any
    ctx: Any

    def __init__(self, net: Any, inputs: Sequence[Any], loss: Any = None, label: Any = None) -> None:
        if not isinstance(net, Block):
            raise TypeError(f"only a Block can be measured, not {type(net).__name__}")
        if not any(isinstance(block, HybridBlock) for _, block in all_blocks(net)):
            raise ValueError(f"There is nothing to hybridize: {type(net).__name__} contains no HybridBlock")
        if label is not None and loss is None:
            raise ValueError("A label needs a loss. Pass both: compare(net, x, loss=gluon.loss.L2Loss(), label=y)")
        if not arrays_in(inputs):
            raise ValueError("The inputs of the net contain no array. Pass one after the net, as in compare(net, x)")
        self.net, self.loss = net, loss
        self.inputs, self.label = copied(tuple(inputs)), copied(label)
        self.ctx = arrays_in(inputs)[0]._ctx
        self.wait: Callable[[], None] | None = array_modules.synchronize if self.ctx.device_typeid == 2 else None
        self.printed: io.StringIO = io.StringIO()
        parts = [net, loss] if isinstance(loss, Block) else [net]
        self._kept = [Preserved(part, functions_of(part)) for part in parts]
        self._blocks = [b for _, b in all_blocks(net) if isinstance(b, HybridBlock)]

    @contextlib.contextmanager
    def opened(self) -> Iterator[None]:
        """Return a scope that captures the calls' output and restores the state that the calls change."""
        with contextlib.ExitStack() as stack:
            stack.enter_context(autograd.pause())
            stack.enter_context(config(tiers=settings.tiers))  # each mode sets this
            stack.enter_context(contextlib.redirect_stdout(self.printed))
            stack.enter_context(warnings.catch_warnings())
            warnings.simplefilter("ignore")
            for kept in self._kept:
                stack.enter_context(kept)
            for kept in self._kept:
                kept.remember_parameters()
                kept.reset(0)  # separate random generators keep the user's unchanged
            yield

    def step(self) -> None:
        """Call the net once in the current mode, with a backward pass if there is a loss."""
        if self.loss is None:
            self.net(*self.inputs)
        else:
            with autograd.record():
                out = self.net(*self.inputs)
                value = self.loss(out) if self.label is None else self.loss(out, self.label)
            value.backward()
        if self.wait is not None:
            self.wait()

    def prepare(self, name: str) -> Way:
        """Discard the net's programs, switch to a mode, and return the mode, which has no stored state yet."""
        flags = WAYS[name]
        settings.tiers = "first" if name == "often" else False
        self.net.hybridize(False) if flags is None else self.net.hybridize(True, **flags)
        for block in self._blocks:
            block._history = []
        return Way(name)

    def remember(self, way: Way) -> None:
        """Store the net's programs for the current mode, and the times of tracing and compiling."""
        way._states = [{k: vars(b)[k] for k in _OWN if k in vars(b)} for b in self._blocks]
        events = [event for block in self._blocks for event in block._history]
        way.trace = sum((e.seconds for e in events if e.kind in ("trace", "retrace")), 0.0)
        way.compile = sum((e.seconds for e in events if e.kind in ("compile", "recompile", "promote")), 0.0)

    def switch(self, way: Way) -> None:
        """Switch back to a mode that was prepared and stored."""
        for block, state in zip(self._blocks, way._states, strict=True):
            vars(block).update(state)

    @property
    def mode(self) -> str:
        """The mode: ``"predict"``, or ``"train"`` for training steps."""
        return "predict" if self.loss is None else "train"

    @property
    def described_inputs(self) -> str:
        """The types and shapes of the inputs."""
        return ", ".join(f"{numpy.dtype(a.dtype).name} {a.shape}" for a in arrays_in(self.inputs))
