"""How many processors this process really has, and how many of them nobody else is using.

The number of processors in the machine is neither. A process may be bound to some of them, a container may be given
the time of two out of sixty-four, and other processes want their share.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ...support.machine import own_processors

__all__ = ["Quota", "Usage", "cores", "find_quota", "usage"]

#: Who has worked for less than this part of a time has paused in it.
AT_WORK = 1 / 4

_PROC = Path("/proc")
_CGROUPS = Path("/sys/fs/cgroup")
_PROCESSORS = Path("/sys/devices/system/cpu")


def cores() -> int | None:
    """Return how many cores this process may run on: processors that share one also share what multiplies.

    None where the system does not tell.
    """
    files = [_PROCESSORS / f"cpu{number}/topology/thread_siblings_list" for number in own_processors()]
    try:
        return len({file.read_text() for file in files}) or None
    except OSError:
        return None


class Quota(NamedTuple):
    """The share of the processors' time that a container has.

    Attributes
    ----------
    processors : float
        How many processors' time it is: 1.5 of 64, for example.
    used : Path
        The file that says how much time all processes in there have used.
    """

    processors: float
    used: Path

    def seconds_used(self) -> float | None:
        """Return the time that all processes under this quota have used, None if the file does not say."""
        try:
            text = self.used.read_text()
            if self.used.name != "cpu.stat":
                return int(text) / 1e9
            return int(dict(line.split(None, 1) for line in text.splitlines())["usage_usec"]) / 1e6
        except (OSError, ValueError, KeyError):
            return None


def find_quota() -> Quota | None:
    """Return the smallest quota that the control groups of this process set (Linux), None without one."""
    found = [quota for folder in _group_folders() if (quota := _quota_in(folder)) is not None]
    return min(found, key=lambda quota: quota.processors, default=None)


def _group_folders() -> Iterator[Path]:
    """Yield the folders of this process's groups and of all groups around them.

    A container usually sees its own group as the root, though the name of the group is another one: a folder that is
    not there says nothing.
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
    except (OSError, ValueError, ZeroDivisionError):  # not there, or "max"
        return None
    return Quota(share, used) if share > 0 else None


class Usage(NamedTuple):
    """What was used since the start, in seconds; differences are what counts.

    Attributes
    ----------
    wall : float
        What the clock says.
    own : float
        Time of the processors that this process has used, in all threads.
    idle : float or None
        Time in which the processors of this process had nothing to do; None where the system does not tell.
    group : float or None
        Time that all processes under its quota have used.
    running : int or None
        How many threads of the whole machine run at this moment, or would if they had a processor.
    """

    wall: float
    own: float
    idle: float | None
    group: float | None
    running: int | None = None

    def is_only_one(self) -> bool:
        """Return whether no other process runs: threads of this one may, for they wait spinning for what comes next."""
        return self.running is not None and (self.running <= 1 or self.running <= _own_running())

    def is_after_pause(self, before: Usage, seconds: float) -> bool:
        """Return whether this process has done little since before, and that was longer ago.

        Examples
        --------
        >>> Usage(20.0, 1.5, None, None).is_after_pause(Usage(10.0, 1.0, None, None), 0.5)
        True
        """
        wall, own = self.wall - before.wall, self.own - before.own
        return wall > seconds and own < wall * AT_WORK

    def free_since(self, before: Usage, quota: Quota | None) -> float | None:
        """Return how many processors were there for this process, whether it used them or not.

        Examples
        --------
        Two processors, another process on one of them, and half of the other one's time unused:

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
    """Return what was used until now."""
    idle, running = _idle_seconds()
    group = None if quota is None else quota.seconds_used()
    return Usage(time.perf_counter(), time.process_time(), idle, group, running)


def _own_running() -> int:
    """Return how many threads of this process run at this moment, or would if they had a processor; at least one."""
    count = 0
    for thread in (_PROC / "self" / "task").glob("[0-9]*"):
        try:
            # The name of a thread may hold spaces and brackets; behind the last one comes its state.
            count += (thread / "stat").read_bytes().rpartition(b")")[2].split()[:1] == [b"R"]
        except OSError:  # it has ended meanwhile
            continue
    return max(count, 1)


def _idle_seconds() -> tuple[float | None, int | None]:
    """Return how long the processors of this process had nothing to do, all together, and what runs now (Linux)."""
    try:
        lines = [line.split() for line in (_PROC / "stat").read_bytes().splitlines()]
        own = {b"cpu%d" % number for number in own_processors()}
        ticks = [int(fields[4]) + int(fields[5]) for fields in lines if fields and fields[0] in own]
        running = [int(fields[1]) for fields in lines if fields and fields[0] == b"procs_running"]
    except (OSError, ValueError, IndexError):
        return None, None
    return (sum(ticks) / os.sysconf("SC_CLK_TCK") if ticks else None), (running[0] if running else None)
