"""Measurement of how quiet a machine was: a fixed loop, timed between rounds, and the load by other processes."""

from __future__ import annotations

import os
import resource
import statistics
import time
from pathlib import Path

__all__ = ["Calibration"]

#: The number of iterations of the loop, which takes a few milliseconds.
TURNS = 100_000


class Calibration:
    """A fixed loop that runs between measurements, and the variation of its times."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self._load, self._start, self._system, self._own = _load(), time.perf_counter(), _system(), _own()

    def spin(self) -> None:
        """Run the loop once, in Python on one core, so that no thread continues to spin."""
        start, total = time.perf_counter(), 0
        for i in range(TURNS):
            total += i
        self.times.append(time.perf_counter() - start)

    def sentence(self) -> str:
        """Return a sentence with the result; the workers must have ended, because their time counts as own time."""
        text = f"At the start, the load average of the machine was {self._load:.1f}."
        if len(self.times) > 1:
            milliseconds = sorted(1e3 * t for t in self.times)
            cuts = statistics.quantiles(milliseconds, n=20, method="inclusive")
            middle = statistics.median(milliseconds)
            text += (
                f" Between the rounds, a fixed Python loop ran {len(milliseconds)} times on one core. Its median time "
                f"was {middle:.2f} ms. 5% of the times were below {cuts[0]:.2f} ms, and 5% were above {cuts[-1]:.2f} "
                f"ms ({cuts[-1] / middle - 1:+.0%}). The maximum was {milliseconds[-1]:.2f} ms."
            )
        return text + self._others()

    def _others(self) -> str:
        system = _system()
        if system is None or self._system is None:
            return ""
        cores = os.cpu_count() or 1
        whole = cores * (time.perf_counter() - self._start)
        busy, stolen = (now - before for now, before in zip(system, self._system, strict=True))
        others = max(busy - (_own() - self._own), 0.0)
        return (
            f" During the whole run, other processes used {others / whole:.1%} of the CPU time of the machine's "
            f"{cores} cores, and the hypervisor gave {stolen / whole:.1%} of it to other virtual machines (steal time)."
        )


def _load() -> float:
    return os.getloadavg()[0]


def _own() -> float:
    """Return the CPU time, in seconds, of this process and its ended children."""
    uses = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(use.ru_utime + use.ru_stime for use in uses)


def _system() -> tuple[float, float] | None:
    """Return the CPU time of all processes and the stolen time, in seconds, or None if the system isn't Linux."""
    try:
        words = Path("/proc/stat").read_text().splitlines()[0].split()
    except OSError:
        return None
    ticks = [int(word) / os.sysconf("SC_CLK_TCK") for word in words[1:9]]
    user, nice, kernel, _, _, interrupts, soft, stolen = ticks
    return user + nice + kernel + interrupts + soft, stolen
