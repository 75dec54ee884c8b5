"""The two sides of a comparison: processes that run programs, and are started again when they die or hang."""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import json
import os
import select
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy

__all__ = ["Answer", "Side", "here", "mxnet", "mxnet_python"]

_TESTS = Path(__file__).resolve().parent.parent
#: After so many programs a process is replaced: MXNet's grows.
_PROGRAMS = 400
#: The longest wait for a program, in multiples of its processor time: a deadlock takes no processor time.
_WAIT = 10


@dataclasses.dataclass(frozen=True)
class Answer:
    """What became of a program.

    Attributes
    ----------
    seen : tuple of (str, array)
        What it noted, in order.
    error : str
        The error that ended it; empty if none did.
    """

    seen: tuple[tuple[str, Any], ...]
    error: str = ""

    @property
    def kind(self) -> str:
        """The class of the error."""
        return self.error.partition(":")[0]


def mxnet_python() -> str:
    """Return real MXNet's interpreter; empty if there is none."""
    return os.environ.get("D2LHYBRID_MXNET_PYTHON", "")


class _Limits:
    """The time that a process may take for one program, from now on."""

    def __init__(self, pid: int, seconds: float) -> None:
        self._pid, self._seconds = pid, seconds
        self._used, self._start = _processor_time(pid), time.monotonic()

    def pause(self) -> float:
        """Return how long to wait before the next look at the process.

        Raises
        ------
        TimeoutError
            If the process has used up its time.
        """
        left = self._seconds - (_processor_time(self._pid) - self._used)
        left_to_wait = _WAIT * self._seconds - (time.monotonic() - self._start)
        if left <= 0:
            raise TimeoutError(f"for {self._seconds:g} seconds of processor time")
        if left_to_wait <= 0:
            raise TimeoutError(f"for {_WAIT * self._seconds:g} seconds by the clock")
        return min(max(left, 0.01), left_to_wait)


def _processor_time(pid: int) -> float:
    """Return the processor time of a process and its children in seconds; zero on a system that doesn't tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0.0
    own = sum(map(int, fields[11:15]))  # of children that have ended, too
    return own / os.sysconf("SC_CLK_TCK") + sum(_processor_time(int(child)) for child in children)


class Side:
    """One process that runs programs, in a child that :meth:`anew` replaces.

    Parameters
    ----------
    command : list of str
        How it is started.
    variables : dict
        Variables of its environment, besides ours.
    seconds : float
        How much processor time a program may take. Other processes that keep the machine busy don't count, but the
        program may not take ten times as long by the clock.
    """

    def __init__(self, command: list[str], variables: dict[str, str], seconds: float = 60.0) -> None:
        self.command, self.variables, self.seconds = command, variables, seconds
        self._process: Any = None
        self._asked = 0

    def ask(self, text: str, rounding: float = 0.0, seed: int = 0, single: bool = False) -> Answer:
        """Run a program, with noise, or with settings in single precision.

        A process that dies or hangs is an answer too: an error called ``Died`` or ``Hangs``.
        """
        if self._asked >= _PROGRAMS:
            self.anew()
        self._asked += 1
        data = json.dumps({"text": text, "rounding": rounding, "seed": seed, "single": single}).encode()
        process = self._started()
        limits = _Limits(process.pid, self.seconds)
        try:
            process.stdin.write(struct.pack("<I", len(data)) + data)
            process.stdin.flush()
            head = self._read(4, limits)
            found = json.loads(self._read(struct.unpack("<I", head)[0], limits))
        except (BrokenPipeError, EOFError):
            self.close()
            return Answer((), f"Died: the process ended with {process.returncode}")
        except TimeoutError as error:
            self.close()
            return Answer((), f"Hangs: {error}")
        seen = [(n, numpy.frombuffer(base64.b64decode(raw), dtype).reshape(s)) for n, raw, dtype, s in found["seen"]]
        return Answer(tuple(seen), found["error"])

    def anew(self) -> None:
        """Have the next program run in a new child, which takes no time: it need not import anything."""
        self._asked = 0
        if self._process is not None:
            try:
                self._process.stdin.write(struct.pack("<I", 0))
            except BrokenPipeError:
                self.close()

    def close(self) -> None:
        """End the process, and its child; the next one has another layout of memory, too."""
        self._asked = 0
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
            self._process = None

    def __enter__(self) -> Side:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _started(self) -> Any:
        if self._process is None:
            given = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
            self._process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env={**given, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **self.variables}, bufsize=0,
                start_new_session=True,  # a group, which ends as a whole
            )  # fmt: skip
        return self._process

    def _read(self, count: int, limits: _Limits) -> bytes:
        parts = []
        while count:
            while not select.select([self._process.stdout], [], [], limits.pause())[0]:
                pass
            part = os.read(self._process.stdout.fileno(), min(count, 1 << 16))
            if not part:
                raise EOFError
            parts.append(part)
            count -= len(part)
        return b"".join(parts)


def here() -> Side:
    """Return this package, in the place of MXNet."""
    return Side([sys.executable, str(_TESTS / "judge" / "worker.py"), "here", str(_TESTS.parent), str(_TESTS)], {})


def mxnet(onednn: bool = True, threaded: bool = True) -> Side:
    """Return real MXNet, with the approximations of oneDNN or without, with its threaded engine or the naive one."""
    variables = {"MXNET_MKLDNN_ENABLED": str(int(onednn)), "MXNET_SUBGRAPH_VERBOSE": "0"}
    if not threaded:
        variables["MXNET_ENGINE_TYPE"] = "NaiveEngine"
    return Side([mxnet_python(), str(_TESTS / "judge" / "worker.py"), "mxnet"], variables)
