"""The commonest call of a hybridized net: nothing is left to decide, and almost nothing is done."""

from __future__ import annotations

import operator
from typing import Any

from ..core import tape
from ..core.pipeline import Program
from ..device import threads
from ..device.readiness import ready
from ..support import clock, events
from .prepared import prepared_values

__all__ = ["FastCall"]

_state = tape.state


class FastCall:
    """The commonest call, with nothing left to decide: one array in, one out, not recording.

    Remembers the program of the last call and the raw arrays of the parameters; answers None when
    anything that they depend on is different, and the general way is taken.
    """

    __slots__ = ("_memory",)

    def __init__(self) -> None:
        self._memory: Any = None

    def prime(self, x: Any, raws: list[Any], program: Program, training: bool, generation: object) -> None:
        """Remember a call that went the general way."""
        simple = program.num_outputs == 1 and not program.forward_states and not program.forward.uses_generator
        if x._ctx.device_typeid == 2:
            simple = simple and all(map(operator.is_, raws, ready(raws, x._ctx)))
        if simple:
            raw, written = x._data, None
            if program.prepare is not None:
                written = clock.stamp(raws)
                if written is clock.SHARED:
                    return
                raws = [*raws, *prepared_values(program, [raw, *raws])]
            forward = program.forward
            # One tuple, set at once: other threads see the old memory or the new one, never a mixture.
            self._memory = (
                type(x), x._ctx, raw.shape, raw.dtype, training, generation, forward.function, forward.workspaces,
                tuple(raws), written, forward.threaded,
            )  # fmt: skip

    def __call__(self, x: Any, generation: object) -> Any:
        """Return the output, or None."""
        memory = self._memory
        if memory is None or _state.recording or events.program_called:
            return None
        cls, ctx, shape, dtype, training, when, function, workspaces, raws, written, threaded = memory
        if type(x) is not cls or x._ctx is not ctx or generation is not when or _state.training is not training:
            return None
        raw = x._data
        if raw.shape != shape or raw.dtype is not dtype or (written is not None and written is not clock.last_write):
            return None
        if ctx.device_typeid == 2 and ready([raw], ctx)[0] is not raw:
            return None
        if threaded and threads.crowded():
            return None
        array = cls.__new__(cls)
        try:
            if workspaces is None:
                array._data = function(raw, *raws)[0]
            else:
                run = workspaces.take()
                array._data = run(raw, *raws)[0]
                workspaces.give(run)
        except MemoryError:  # the general way empties the pool of a GPU and tries again
            return None
        array._ctx = ctx
        array._tape = None
        return array
