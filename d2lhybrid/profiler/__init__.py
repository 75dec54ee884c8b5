"""``mx.profiler``: a profiler of operators and programs, with tables, and files for Perfetto or ``chrome://tracing``.

Between ``set_state("run")`` and ``set_state("stop")``, the profiler records every operator that the thread calls, the
operator's gradient, every line of a hybridized net's program, and the tasks, frames, events, counters, and markers that
you define (:mod:`.scopes`). :mod:`.record` stores the records, and :mod:`.tables` computes statistics.

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
