"""The number of cores of this process, and the number of cores that other processes leave free.

Both numbers may be smaller than the number of cores of the machine. A process may be bound to some cores, a container
may have the CPU time of two out of sixty-four cores, and other processes use cores, too.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ...support.machine import own_processors

__all__ = ["Quota", "Usage", "cores", "find_quota", "usage"]

#: A process that used less than this share of a period counts as paused in the period.
AT_WORK = 1 / 2

_PROC = Path("/proc")
_CGROUPS = Path("/sys/fs/cgroup")
_PROCESSORS = Path("/sys/devices/system/cpu")


def cores() -> int | None:
    """Return the number of physical cores of this process; None if the system doesn't report it.

    Hyperthreads of one core aren't counted separately, because they share its multipliers.
    """
    files = [_PROCESSORS / f"cpu{number}/topology/thread_siblings_list" for number in own_processors()]
    try:
        return len({file.read_text() for file in files}) or None
    except OSError:
        return None


class Quota(NamedTuple):
    """The share of CPU time that a container has.

    Attributes
    ----------
    processors : float
        The share in cores, such as 1.5.
    used : Path
        The file with the CPU time that all processes in the container have used.
    """

    processors: float
    used: Path

    def seconds_used(self) -> float | None:
        """Return the CPU time, in seconds, that all processes under this quota have used; None if it can't be read."""
        try:
            text = self.used.read_text()
            if self.used.name != "cpu.stat":
                return int(text) / 1e9
            return int(dict(line.split(None, 1) for line in text.splitlines())["usage_usec"]) / 1e6
        except (OSError, ValueError, KeyError):
            return None


def find_quota() -> Quota | None:
    """Return the smallest quota of this process's control groups on Linux; None without a quota."""
    found = [quota for folder in _group_folders() if (quota := _quota_in(folder)) is not None]
    return min(found, key=lambda quota: quota.processors, default=None)


def _group_folders() -> Iterator[Path]:
    """Yield the folders of this process's control groups and their parents.

    A container usually sees its own group as the root, although the group has another name, so missing folders are
    ignored.
    """
    try:
        lines = (_PROC / "self" / "cgroup").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, _, rest = line.partition(":")
        controllers, _, name = rest.partition(":")
        if controllers and "cpu" not in controllers.split(","):
            continue
        roots = [_CGROUPS / part for part in ("cpu", "cpu,cpuacct", controllers)] if controllers else [_CGROUPS]
        for root in dict.fromkeys(roots):
            folder = root / name.strip("/")
            yield from (f for f in [folder, *folder.parents] if f.is_relative_to(root))


def _quota_in(folder: Path) -> Quota | None:
    try:
        if (folder / "cpu.max").exists():
            quota, period = (folder / "cpu.max").read_text().split()
            used = folder / "cpu.stat"
        else:
            quota = (folder / "cpu.cfs_quota_us").read_text()
            period = (folder / "cpu.cfs_period_us").read_text()
            used = folder / "cpuacct.usage"
        share = int(quota) / int(period)
    except (OSError, ValueError, ZeroDivisionError):  # missing, or "max"
        return None
    return Quota(share, used) if share > 0 else None


class Usage(NamedTuple):
    """A measurement of the current load, and of times in seconds. Only the differences of times are meaningful.

    Attributes
    ----------
    wall : float
        The wall-clock time.
    own : float
        The CPU time of all threads of this process.
    idle : float or None
        The idle time of the cores of this process; None if the system doesn't report it.
    group : float or None
        The CPU time of all processes under the quota of this process; None without a quota.
    running : int or None
        The number of runnable threads on the machine at this moment; None if the system doesn't report it.
    """

    wall: float
    own: float
    idle: float | None
    group: float | None
    running: int | None = None

    def others(self) -> int | None:
        """Return the number of runnable threads of other processes; None if the system doesn't report it.

        Threads of this process aren't counted, because they may spin after a matrix product.

        Examples
        --------
        >>> Usage(11.0, 0.5, 0.5, None, running=1).others()
        0
        """
        if self.running is None or self.running <= 1:
            return None if self.running is None else 0
        return max(self.running - _own_running(), 0)

    def is_after_pause(self, before: Usage, seconds: float) -> bool:
        """Return whether this process has hardly run since an earlier measurement.

        Parameters
        ----------
        before : Usage
            The earlier measurement.
        seconds : float
            Smallest age of the measurement.

        Returns
        -------
        bool
            Whether the measurement is old enough and the process has hardly run since.

        Examples
        --------
        >>> Usage(20.0, 1.5, None, None).is_after_pause(Usage(10.0, 1.0, None, None), 0.5)
        True
        """
        wall, own = self.wall - before.wall, self.own - before.own
        return wall > seconds and own < wall * AT_WORK

    def free_since(self, before: Usage, quota: Quota | None) -> float | None:
        """Return the number of cores that this process used or could have used in a period.

        Parameters
        ----------
        before : Usage
            The measurement at the start of the period.
        quota : Quota or None
            The quota of the process.

        Returns
        -------
        float or None
            The number of cores; None if it can't be measured.

        Examples
        --------
        With two cores, one of which another process uses, this process can use one core:

        >>> Usage(11.0, 0.5, 0.5, None).free_since(Usage(10.0, 0.0, 0.0, None), None)
        1.0
        """
        wall, own = self.wall - before.wall, self.own - before.own
        if wall <= 0 or own < 0:
            return None
        found = []
        if self.idle is not None and before.idle is not None:
            found.append((self.idle - before.idle + own) / wall)
        if quota is not None and self.group is not None and before.group is not None:
            found.append(quota.processors - (self.group - before.group - own) / wall)
        return min(found, default=None)


def usage(quota: Quota | None) -> Usage:
    """Return a measurement of the current times and of the current load.

    Parameters
    ----------
    quota : Quota or None
        The quota of the process.

    Returns
    -------
    Usage
        The times and the load.
    """
    idle, running = _idle_seconds()
    group = None if quota is None else quota.seconds_used()
    return Usage(time.perf_counter(), time.process_time(), idle, group, running)


def _own_running() -> int:
    """Return the number of runnable threads of this process at this moment, which is at least 1."""
    count = 0
    for thread in (_PROC / "self" / "task").glob("[0-9]*"):
        try:
            # The name of a thread may contain spaces and parentheses; its state follows the last one.
            count += (thread / "stat").read_bytes().rpartition(b")")[2].split()[:1] == [b"R"]
        except OSError:  # the thread has ended in the meantime
            continue
    return max(count, 1)


def _idle_seconds() -> tuple[float | None, int | None]:
    """Return the total idle time of this process's cores, and the number of runnable threads (Linux)."""
    try:
        lines = [line.split() for line in (_PROC / "stat").read_bytes().splitlines()]
        own = {b"cpu%d" % number for number in own_processors()}
        ticks = [int(fields[4]) + int(fields[5]) for fields in lines if fields and fields[0] in own]
        running = [int(fields[1]) for fields in lines if fields and fields[0] == b"procs_running"]
    except (OSError, ValueError, IndexError):
        return None, None
    return (sum(ticks) / os.sysconf("SC_CLK_TCK") if ticks else None), (running[0] if running else None)
