"""``mx.profiler``: what runs when, as a file for Perfetto (or ``chrome://tracing``) and as a table.

Between ``set_state("run")`` and ``set_state("stop")`` every operator that the thread calls is recorded, its gradient,
and every line of the programs of hybridized nets, with the tasks, frames, events, counters and markers of your own
(:mod:`.scopes`). :mod:`.record` keeps them, :mod:`.tables` counts.

>>> import d2lhybrid as mx
>>> mx.profiler.set_config(aggregate_stats=True)
>>> mx.profiler.set_state("run")
>>> y = mx.nd.ones((2, 3)) + 1
>>> mx.profiler.set_state("stop")
>>> "_plus_scalar" in mx.profiler.dumps(reset=True)
True
"""

from .profiler import (
    dump,
    dump_profile,
    dumps,
    pause,
    profiler_set_config,
    profiler_set_state,
    resume,
    set_config,
    set_kvstore_handle,
    set_state,
)
from .scopes import Counter, Domain, Event, Frame, Marker, Task

__all__ = [
    "Counter", "Domain", "Event", "Frame", "Marker", "Task", "dump", "dump_profile", "dumps", "pause",
    "profiler_set_config", "profiler_set_state", "resume", "set_config", "set_kvstore_handle", "set_state",
]  # fmt: skip
