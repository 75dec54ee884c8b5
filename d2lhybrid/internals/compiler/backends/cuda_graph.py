"""CUDA graphs: the launches of a program, which are captured once and replayed by one call.

A kernel of a small net takes a few microseconds, and its launch from Python takes as long. A *CUDA graph* is a list of
launches with their arguments. The driver keeps the list, and one call runs all launches. The arguments are addresses,
so the program must use the same memory each time, as ``static_alloc`` and ``static_shape`` guarantee. The address of
data differs from call to call, so data is copied to the recorded address. Results that the caller keeps are copied into
new arrays. Parameters keep their addresses. If a parameter's array was replaced, the program runs without the CUDA
graph. If this happens regularly, another CUDA graph is recorded.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from ..static_writer import Recordable
from .host_trips import trip_of

__all__ = ["Recorded", "Recorder"]

#: The largest number of recordings per function, for different addresses of parameters and residuals.
MAX_RECORDINGS = 4
#: The largest number of bytes to copy per saved launch: about as many as a GPU copies in the time of a launch.
BYTES_PER_LAUNCH = 4 << 20


class Recorder:
    """A callable that wraps the function of a program, once for each arena, to record the function's launches.

    Parameters
    ----------
    cupy : module
        CuPy.
    """

    def __init__(self, cupy: Any) -> None:
        self._cupy = cupy

    def __call__(self, what: Recordable, run: Callable[..., Any]) -> Recorded:
        """Return a function that computes the results of `run`, and records and replays the launches of `run`."""
        return Recorded(self._cupy, run, what)


class Recorded:
    """A function of a program whose launches are recorded at the second call with the same parameters.

    The first call runs without recording, because it loads kernels, fills memory pools, and creates handles, and none
    of this is allowed during a capture.

    Attributes
    ----------
    plain : callable
        The original function.
    reason : str
        The reason why launches aren't recorded; empty if they can be recorded.
    """

    def __init__(self, cupy: Any, plain: Callable[..., Any], what: Recordable) -> None:
        self.plain, self._cupy, self._what = plain, cupy, what
        self._changing = tuple(i for i in what.used if i in what.changing)
        self._fixed = tuple(i for i in what.used if i not in what.changing)
        self._recordings: list[_Recording] = []
        self._last: list[Any] | None = None
        self.reason = next(filter(None, map(trip_of, what.nodes)), "")
        if what.nbytes > len(what.nodes) * BYTES_PER_LAUNCH:
            self.reason = f"copying {what.nbytes:,} bytes takes longer than {len(what.nodes)} launches"

    @property
    def state(self) -> str:
        """A phrase that says whether launches are recorded as a CUDA graph, or why they are not."""
        if self.reason:
            return f"no CUDA graph: {self.reason}"
        return "one CUDA graph" if self._recordings else "a CUDA graph from the second call on"

    def __call__(self, *arguments: Any) -> Any:
        """Run the function: replay a matching recording, record the launches, or call `plain`."""
        if self.reason:
            return self.plain(*arguments)
        fixed = [arguments[i] for i in self._fixed]
        for recording in self._recordings:
            if all(map(operator.is_, recording.fixed, fixed)):
                return recording(arguments)
        if self._last is None or not all(map(operator.is_, self._last, fixed)):
            self._last = fixed
            return self.plain(*arguments)
        try:
            recording = _Recording(self._cupy, self.plain, self._what, arguments, fixed, self._changing)
        except Exception as error:  # a CuPy function that isn't allowed during a capture may raise any error
            self.reason = f"{type(error).__name__}: {error}"
            return self.plain(*arguments)
        self._last = None
        self._recordings = [*self._recordings[1 - MAX_RECORDINGS :], recording]
        return recording(arguments)


class _Recording:
    """A CUDA graph, with the arrays from which it reads data and the arrays of its results.

    Memory that the function allocates during the recording comes from a separate pool, which lives as long as the CUDA
    graph. A shared pool could reuse this memory for another array, into which the CUDA graph would then write.
    """

    def __init__(
        self,
        cupy: Any,
        plain: Callable[..., Any],
        what: Recordable,
        arguments: Sequence[Any],
        fixed: list[Any],
        changing: tuple[int, ...],
    ) -> None:
        self.fixed, self._cupy = fixed, cupy
        self._pool = cupy.cuda.MemoryPool()
        given = [a if i in what.used else None for i, a in enumerate(arguments)]
        stream = cupy.cuda.Stream(non_blocking=True)
        with cupy.cuda.using_allocator(self._pool.malloc):
            self._places = []
            for i in changing:
                given[i] = cupy.empty(arguments[i].shape, arguments[i].dtype)
                self._places.append((i, given[i]))
            with stream:
                stream.begin_capture()
                try:
                    results = plain(*given)
                except BaseException:
                    _abandon(stream)
                    raise
                self._graph = stream.end_capture()
        self._given = given  # keeps the arguments alive, whose addresses are in the CUDA graph
        self._results, self._num_leaving = list(results), what.num_leaving

    def __call__(self, arguments: Sequence[Any]) -> list[Any]:
        """Copy the data to the recorded addresses, launch the CUDA graph, and return copies of the results."""
        for i, place in self._places:
            _copy(self._cupy, arguments[i], place)
        self._graph.launch()
        leaving = []
        for result in self._results[: self._num_leaving]:
            out = self._cupy.empty(result.shape, result.dtype)
            _copy(self._cupy, result, out)
            leaving.append(out)
        return leaving + self._results[self._num_leaving :]


def _abandon(stream: Any) -> None:
    """End a failed capture, and ignore CuPy's error, which would hide the actual error."""
    try:
        stream.end_capture()
    except Exception:
        return


def _copy(cupy: Any, source: Any, target: Any) -> None:
    """Copy an array into a contiguous array by the fastest available method."""
    if source.flags.c_contiguous:
        runtime = cupy.cuda.runtime
        stream = cupy.cuda.get_current_stream().ptr
        runtime.memcpyAsync(target.data.ptr, source.data.ptr, source.nbytes, runtime.memcpyDeviceToDevice, stream)
    else:
        cupy.copyto(target, source)
