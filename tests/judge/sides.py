"""The two sides of a comparison: processes that run programs, and are started again when they die or hang."""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import json
import os
import select
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


class Side:
    """One process that runs programs.

    Parameters
    ----------
    command : list of str
        How it is started.
    variables : dict
        Variables of its environment, besides ours.
    seconds : float
        How long a program may take.
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
            self.close()
        self._asked += 1
        data = json.dumps({"text": text, "rounding": rounding, "seed": seed, "single": single}).encode()
        process = self._started()
        until = time.monotonic() + self.seconds
        try:
            process.stdin.write(struct.pack("<I", len(data)) + data)
            process.stdin.flush()
            head = self._read(4, until)
            found = json.loads(self._read(struct.unpack("<I", head)[0], until))
        except (BrokenPipeError, EOFError):
            self.close()
            return Answer((), f"Died: the process ended with {process.returncode}")
        except TimeoutError:
            self.close()
            return Answer((), f"Hangs: for {self.seconds:.0f} seconds")
        seen = [(n, numpy.frombuffer(base64.b64decode(raw), dtype).reshape(s)) for n, raw, dtype, s in found["seen"]]
        return Answer(tuple(seen), found["error"])

    def close(self) -> None:
        """End the process."""
        self._asked = 0
        if self._process is not None:
            self._process.kill()
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
            )  # fmt: skip
        return self._process

    def _read(self, count: int, until: float) -> bytes:
        parts = []
        while count:
            ready, _, _ = select.select([self._process.stdout], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise TimeoutError
            part = os.read(self._process.stdout.fileno(), min(count, 1 << 16))
            if not part:
                raise EOFError
            parts.append(part)
            count -= len(part)
        return b"".join(parts)


def here() -> Side:
    """Return this package, in the place of MXNet."""
    return Side([sys.executable, str(_TESTS / "judge" / "worker.py"), "here", str(_TESTS.parent), str(_TESTS)], {})


def mxnet(onednn: bool = True) -> Side:
    """Return real MXNet, with the approximations of oneDNN or without."""
    variables = {"MXNET_MKLDNN_ENABLED": str(int(onednn)), "MXNET_SUBGRAPH_VERBOSE": "0"}
    return Side([mxnet_python(), str(_TESTS / "judge" / "worker.py"), "mxnet"], variables)
