"""An answer in a separate process, queried through a pipe."""

from __future__ import annotations

import json
import math
import os
import signal
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from ..exercises.exercise import PRELUDE
from ..exercises.subject import AnswerEnded, Subject, SubjectLost
from ..probing import AnswerError, CodecError, decode
from .patience import crowding
from .scratch import make_scratch, remove_tree, size_of

__all__ = ["AnswerServer", "Lost", "RemoteSubject", "absent_for"]

#: A part of a check and the number of a question in it -> why the answer's process ended there.
Lost = dict[tuple[str, int], str]

MAX_REPLY = 2**25
MAX_SCRATCH = 2**28


def absent_for(error: AnswerError) -> str:
    """Return the missing package that made an answer fail, if any."""
    return error.message if error.type_name == ModuleNotFoundError.__name__ else ""


class AnswerServer:
    """Starts and ends processes for answers, one at a time.

    Parameters
    ----------
    stage : Path
        The copy of the package that they run with.
    """

    control: socket.socket

    def __init__(self, stage: Path) -> None:
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB_MAXIMUM")}
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(stage / "serve.py"), str(stage), str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env={"PATH": os.defpath, "LC_ALL": "C.UTF-8", **threads},
            cwd=stage,
            start_new_session=True,
        )
        theirs.close()
        self.control.settimeout(60)

    def command(self, descriptors: list[int], **command: Any) -> dict[str, Any]:
        """Send a command; the reply."""
        socket.send_fds(self.control, [json.dumps(command).encode()], descriptors)
        data = self.control.recv(65536)
        if not data:
            raise ConnectionError("the server of answers has ended")
        return json.loads(data)

    def close(self) -> None:
        """End the server, and with it the answer that runs."""
        self.control.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class RemoteSubject(Subject):
    """An answer in a confined process.

    Parameters
    ----------
    server : AnswerServer
        Starts the process.
    cells : list of (str, bool)
        The student's cells.
    name : str
        The name that is checked.
    seconds : float
        How much time of the processor all replies together may take; and how long, if the machine has nothing else
        to do (:func:`.patience.crowding`).
    memory : int
        Bytes.
    lost : dict, optional
        The questions at which earlier processes of this answer ended: they are not asked again, for they have failed.
    each : float, optional
        How long a single question may take.

    Attributes
    ----------
    place : (str, int)
        The last question that was asked: the part of the check, and the question's number in it.
    taken : float
        Seconds that it took to reply, as if the machine had nothing else to do.
    absent : str
        What of the student's own surroundings the answer has missed, if anything: a package.

    Raises
    ------
    AnswerError
        If a cell raises an exception.
    SubjectLost
        If the process ends, or takes too long.
    """

    server: AnswerServer
    seconds: float
    memory: int
    each: float
    crowding: float
    taken: float
    channel: socket.socket

    def __init__(
        self,
        server: AnswerServer,
        cells: list[tuple[str, bool]],
        name: str,
        seconds: float,
        memory: int,
        lost: Lost | None = None,
        each: float = math.inf,
    ) -> None:
        self.server, self.seconds, self.memory = server, seconds, memory
        self.lost, self.each, self.place = lost or {}, each, ("", 0)
        self.crowding, self.taken = crowding(), 0.0
        self.missing, self.absent = False, ""
        self.scratch: str = make_scratch("answer")
        self.channel, theirs = socket.socketpair()
        self.running = True
        try:
            server.command([theirs.fileno()], do="start", scratch=os.path.realpath(self.scratch), seconds=seconds,
                           memory=memory)  # fmt: skip
        finally:
            theirs.close()
        try:
            work = {"cells": cells, "name": name, "prelude": PRELUDE}
            first = decode(self._exchange(json.dumps(work).encode()))
            if not isinstance(first, dict) or not first.keys() & {"ready", "missing", "error"}:
                raise CodecError("this is not a start message")
            if "error" in first:
                raise AnswerError.from_data(first["error"])
            self.missing: bool = "missing" in first
        except BaseException:
            self.close()
            raise

    def ask(self, question: str, doing: str = "", **data: Any) -> Any:
        """Ask a question, unless the answer's process has ended at it before: that is how it has failed."""
        self.place: tuple[str, int] = self.parts.next_question()
        if self.place in self.lost:
            failure = AnswerEnded(self.lost[self.place])
            failure.doing = doing  # type: ignore[attr-defined]
            raise failure
        try:
            return super().ask(question, doing, **data)
        except AnswerError as error:
            self.absent = absent_for(error) or self.absent
            raise

    def _exchange(self, request: bytes) -> bytes:
        begin = time.monotonic()
        longest = min(self.seconds - self.taken, self.each)
        deadline = begin + longest * self.crowding
        try:
            self.channel.settimeout(max(0.01, deadline - time.monotonic()))
            self.channel.sendall(struct.pack(">I", len(request)) + request)
            size = struct.unpack(">I", self._receive(4, deadline))[0]
            if size > MAX_REPLY:
                raise SubjectLost(f"The answer returned more than {MAX_REPLY // 2**20} MB.")
            return self._receive(size, deadline)
        except TimeoutError:
            limit = self.each if longest == self.each else self.seconds
            raise SubjectLost(f"It took longer than {limit:g} seconds.") from None
        except OSError:
            raise SubjectLost(self._why_ended()) from None
        finally:
            self.taken += (time.monotonic() - begin) / self.crowding

    def _receive(self, count: int, deadline: float) -> bytes:
        parts = bytearray()
        while len(parts) < count:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self.channel.settimeout(min(left, 0.5))
            try:
                part = self.channel.recv(min(count - len(parts), 2**20))
            except TimeoutError:
                self._look_at_scratch()
                continue
            if not part:
                raise ConnectionError
            parts += part
        return bytes(parts)

    def _look_at_scratch(self) -> None:
        if size_of(self.scratch, MAX_SCRATCH) > MAX_SCRATCH:
            raise SubjectLost(f"The answer wrote more than {MAX_SCRATCH // 2**20} MB of files.")

    def _why_ended(self) -> str:
        """End the process if it is still running; return why it ended."""
        status = self._end().get("status")
        if status is None:
            return "Its process has ended."
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            if number == signal.SIGXCPU:
                return f"It took more than {self.seconds:g} seconds of the processor."
            if number == signal.SIGKILL:  # the system's signal at the hard limit, or without memory
                return f"It was ended: it took more than {self.seconds:g} seconds of the processor, or all memory."
            return f"Its process crashed ({signal.Signals(number).name})."
        return "Its process ended itself."

    def _end(self) -> dict[str, Any]:
        if not self.running:
            return {}
        self.running: bool = False
        return self.server.command([], do="end")

    def close(self) -> None:
        """End the process, and remove its files."""
        self.channel.close()
        try:
            self._end()
        finally:
            remove_tree(self.scratch)
