"""Updates of all weights on a GPU with few kernel launches.

With array operations, the update of one weight takes two to twenty kernels, each of which reads and writes whole
arrays. For a net with fifty weights, each step launches hundreds of kernels, most of which run for less time than
their launch takes. :class:`FusedUpdates` launches one kernel for as many weights as fit into the kernel's argument,
sixty to a hundred. The kernel changes the same arrays as the array operations, so states are interchangeable.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ..internals.device import array_modules
from ..internals.support import clock
from .fused_source import CHUNK, THREADS, Layout, source_of
from .optimizer import Optimizer
from .update_rules import Family, family_of

__all__ = ["FusedUpdates", "Launcher"]


class FusedUpdates:
    """A callable that updates all weights on a GPU with few kernel launches. Subclasses support other devices.

    The object contains only caches. The cached data of a weight is computed again when the weight's array or one of its
    state arrays is replaced.

    Attributes
    ----------
    chars : str
        Element types of weights and states that can be updated, each as the ``char`` of a NumPy dtype.
    """

    chars: str = "efd"

    def __init__(self) -> None:
        self._members: dict[Any, Member | None] = {}
        self._launchers: dict[tuple[Any, ...], Launcher] = {}
        self._keeps_momentum: bool | None = None

    def launcher(self, layout: Layout) -> Launcher | None:
        """Return the launcher for the weights of a layout, or None if no launcher is available.

        Parameters
        ----------
        layout : Layout
            The layout of the data.

        Returns
        -------
        Launcher or None
            The launcher.
        """
        return Launcher(layout)

    def address(self, raw: Any) -> int:
        """Return the address of an array's first element.

        Parameters
        ----------
        raw : cupy.ndarray
            The array.

        Returns
        -------
        int
            The address.
        """
        return raw.data.ptr

    def can_be_written(self, raw: Any) -> bool:
        """Return whether a kernel can write to an array, which requires contiguous memory.

        Parameters
        ----------
        raw : cupy.ndarray
            The array.

        Returns
        -------
        bool
            Whether a kernel can write to the array.
        """
        return raw.flags.c_contiguous

    def __call__(
        self, optimizer: Optimizer, indices: Sequence[Any], weights: Sequence[Any], grads: Sequence[Any],
        states: Sequence[Any],
    ) -> bool:  # fmt: skip
        """Update weights on a GPU in place, and count each update once.

        Parameters
        ----------
        optimizer : Optimizer
            The optimizer.
        indices, weights, grads : sequence
            Arguments of :meth:`Updater.__call__ <d2lhybrid.optimizer.Updater.__call__>`.
        states : sequence
            The states from ``create_state_multi_precision``, one for each weight.

        Returns
        -------
        bool
            True if the weights were updated, and False if there is no rule for the optimizer and its settings. Weights
            that no kernel can update (not contiguous, or of another type) are updated without a kernel.
        """
        family = family_of(type(optimizer))
        if family is None or not optimizer.fused or not family.accepts(optimizer):
            return False
        keeps_momentum = getattr(optimizer, "momentum", 0.0) > 0
        if keeps_momentum is not self._keeps_momentum:  # other states are now in use
            self._members.clear()
            self._keeps_momentum = keeps_momentum
        launchers = []
        for index, weight, grad, state in zip(indices, weights, grads, states, strict=True):
            # A row-sparse gradient is applied separately, but in order, because Nadam's weights share a value.
            member = None if grad.stype != "default" else self._member(family, optimizer, index, weight, state)
            gradient = None if member is None else member.address_of(grad._data)
            if member is None or gradient is None:
                optimizer.update_multi_precision(index, weight, grad, state)
                continue
            lr, wd = optimizer._counted(index)
            own = family.own_values(optimizer, lr, wd, optimizer._index_update_count.get(index, 0))
            launcher = member.launcher
            if not launcher.waiting:
                launchers.append(launcher)
            launcher.waiting.append((member, gradient, own))
        if launchers:
            xp = array_modules.array_module(weights[0]._ctx)  # makes the device the current device
            written = [raw for launcher in launchers for member, *_ in launcher.waiting for raw in member.raws]
            clock.note_write(written)
            for launcher in launchers:
                launcher.launch(xp, optimizer)
            clock.note_write(written)
        return True

    def _member(self, family: Family, optimizer: Optimizer, index: Any, weight: Any, state: Any) -> Member | None:
        """Return the cached data of a weight, or None if no kernel can update the weight."""
        rounded = optimizer.multi_precision and weight._data.dtype == numpy.float16
        member = self._members.get(index)
        if member is None or not member.holds(family, weight, state, rounded):
            member = self._members[index] = self._examine(family, optimizer, weight, state, rounded)
        return member

    def _examine(
        self, family: Family, optimizer: Optimizer, weight: Any, state: Any, rounded: bool
    ) -> Member | None:  # fmt: skip
        target, own = weight, state
        if rounded:
            target, own = state[optimizer.master_position], state[1 - optimizer.master_position]
        states = optimizer._states_in_use(own)
        rule = family.rule_for(states)
        if rule is None:
            return None
        owners = [target, *(one for one in states if one is not None)]
        raw, stored = weight._data, target._data.dtype.char
        if not raw.size or raw.dtype.char not in self.chars or not self.can_be_written(raw):
            return None
        for a in (one._data for one in owners):
            if a.shape != raw.shape or a.dtype.char != stored or not self.can_be_written(a):
                return None
        key = family.owner, rule.states, stored, rounded
        launcher = self._launchers.get(key)
        if launcher is None:
            launcher = self.launcher(Layout(family, rule, stored, rounded))
            if launcher is None:
                return None
            self._launchers[key] = launcher
        return Member(launcher, weight, state, owners, self.address)


class Member:
    """A weight and its states, with the addresses that the kernel needs."""

    __slots__ = ("_find", "_gradient", "_owners", "_place", "_state", "after", "blocks", "launcher", "raws", "weight")

    def __init__(
        self, launcher: Launcher, weight: Any, state: Any, owners: list[Any], find: Callable[[Any], int]
    ) -> None:  # fmt: skip
        self.launcher: Launcher = launcher
        self._state, self._find = state, find
        # Keep the arrays alive, so that no other array can get their addresses.
        self._owners = [weight, *owners]
        self.raws: list[Any] = [one._data for one in self._owners]
        raw, *rest = self.raws
        addresses = [find(a) for a in rest]
        self.weight: int = addresses[0]
        self.after: tuple[int, ...] = (*addresses[1:], *([find(raw)] if launcher.layout.rounded else []), raw.size)
        self.blocks: int = -(-raw.size // CHUNK)
        self._gradient: Any = None
        self._place = 0

    def holds(self, family: Family, weight: Any, state: Any, rounded: bool) -> bool:
        """Return whether the arrays and the layout of a weight are still the same.

        Parameters
        ----------
        family : Family
            The rules of the optimizer.
        weight : NDArray
            The weight.
        state : object
            The state of the weight.
        rounded : bool
            Whether the weight is float16 with a float32 master copy.

        Returns
        -------
        bool
            Whether the addresses are valid.
        """
        if state is not self._state or weight is not self._owners[0]:
            return False
        layout = self.launcher.layout
        if layout.family is not family or layout.rounded is not rounded:
            return False
        for one, raw in zip(self._owners, self.raws, strict=True):  # noqa: SIM110  all() costs more than the test
            if one._data is not raw:
                return False
        return True

    def address_of(self, gradient: Any) -> int | None:
        """Return the address of a gradient, or None if the kernel can't read the gradient.

        The address may change in each step.

        Parameters
        ----------
        gradient : cupy.ndarray
            The gradient.

        Returns
        -------
        int or None
            The address.
        """
        if gradient is self._gradient:
            return self._place
        raw = self.raws[0]
        if gradient.dtype != raw.dtype or gradient.shape != raw.shape or not gradient.flags.c_contiguous:
            return None
        self._gradient, self._place = gradient, self._find(gradient)
        return self._place


class Launcher:
    """A collector of weights, which updates the collected weights with a single kernel launch."""

    def __init__(self, layout: Layout) -> None:
        self.layout: Layout = layout
        self.waiting: list[tuple[Member, int, tuple[float, ...]]] = []
        self.bytes: Any = layout.buffer()
        self._by_value = self.bytes.view(layout.by_value)
        self._kernels: dict[Any, Any] = {}

    def launch(self, xp: Any, optimizer: Optimizer) -> None:
        """Update the collected weights, and clear the collection.

        Parameters
        ----------
        xp : module
            NumPy or CuPy.
        optimizer : Optimizer
            The optimizer, whose settings are passed to the kernel.
        """
        layout, waiting = self.layout, self.waiting
        self.waiting = []
        shared = layout.family.shared_values(optimizer, numpy.dtype(layout.stored))
        for start in range(0, len(waiting), layout.capacity):
            some = waiting[start : start + layout.capacity]
            values: list[Any] = [*shared, len(some)]
            blocks = 0
            for member, gradient, own in some:
                values += (member.weight, gradient, *member.after, *own, blocks)
                blocks += member.blocks
            layout.packer(len(some)).pack_into(self.bytes.data, 0, *values)
            self.order(xp, blocks)

    def order(self, xp: Any, blocks: int) -> None:
        """Launch the kernel with the structure in the attribute ``bytes`` as its argument.

        Parameters
        ----------
        xp : module
            NumPy or CuPy.
        blocks : int
            Number of blocks.
        """
        kernel = self._kernels.get(xp)
        if kernel is None:
            kernel = self._kernels[xp] = array_modules.cuda_module(source_of(self.layout)).get_function("update")
        kernel((blocks,), (THREADS,), (self._by_value,))
