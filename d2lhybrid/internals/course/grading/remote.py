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

from ...support.plural import counted
from ..exercises.exercise import PRELUDE
from ..exercises.subject import AnswerEnded, Subject, SubjectLost
from ..probing import AnswerError, CodecError, decode
from .patience import crowding
from .scratch import make_scratch, remove_tree, size_of

__all__ = ["AnswerServer", "Lost", "RemoteSubject", "absent_for"]

#: Part of a check and index of a question in the part -> reason why the answer's process ended.
Lost = dict[tuple[str, int], str]

MAX_REPLY = 2**25
MAX_SCRATCH = 2**28


def absent_for(error: AnswerError) -> str:
    """Return the message of an error about a missing module, or an empty string for other errors."""
    return error.message if error.type_name == ModuleNotFoundError.__name__ else ""


def _seconds(limit: float) -> str:
    return counted(int(limit) if limit == int(limit) else limit, "second")


class AnswerServer:
    """A server that starts and ends processes for answers, one at a time.

    Parameters
    ----------
    stage : Path
        Folder with the copy of the package for answers.
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
        """Send a command to the server, and return the server's reply.

        Parameters
        ----------
        descriptors : list of int
            File descriptors to pass to the server.
        **command : object
            The command, as data for JSON.

        Returns
        -------
        dict of str to object
            The reply, decoded from JSON.

        Raises
        ------
        ConnectionError, TimeoutError
            If the server has ended, or does not reply.
        """
        socket.send_fds(self.control, [json.dumps(command).encode()], descriptors)
        data = self.control.recv(65536)
        if not data:
            raise ConnectionError("the process that starts answers has ended")
        return json.loads(data)

    def close(self) -> None:
        """End the server and the current answer."""
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
        Server that starts the process.
    cells : list of (str, bool)
        Source of the student's cells, each with a bool, which is True for the answer cell.
    name : str
        Name of the object that the check tests.
    seconds : float
        Maximum processor time of all replies together, and maximum elapsed time on an otherwise idle machine
        (:func:`.patience.crowding`), in seconds.
    memory : int
        Maximum address space in bytes.
    lost : dict, optional
        Questions that ended earlier processes of this answer; they count as failed and are not asked again.
    each : float, optional
        Maximum time for a single question in seconds.

    Attributes
    ----------
    place : (str, int)
        The last question: the part of the check, and the question's number in this part, starting at 1.
    taken : float
        Time of the replies in seconds, corrected for the load of the machine.
    absent : str
        The message about a module that the answer could not import; empty if there is no such module.

    Raises
    ------
    AnswerError
        If a cell raises an error.
    SubjectLost
        If the process ends, or takes too long.
    CodecError
        If the process sends an invalid message.
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
                raise CodecError("the message is not a start message")
            if "error" in first:
                raise AnswerError.from_data(first["error"])
            self.missing: bool = "missing" in first
        except BaseException:
            self.close()
            raise

    def ask(self, question: str, doing: str = "", **data: Any) -> Any:
        """Ask a question; a question that ended an earlier process of the answer fails instead.

        Parameters
        ----------
        question : str
            Name of the question.
        doing : str
            Description of the test, for the message after a failure.
        **data : object
            Arguments of the question.

        Returns
        -------
        object
            The reply: numbers, strings, lists, dictionaries, and arrays.

        Raises
        ------
        AnswerEnded
            If the question ended an earlier process of the answer.
        AnswerError
            If the answer raised an error.
        SubjectLost
            If the process ends, or takes too long.
        CodecError
            If the reply is invalid.
        """
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
                raise SubjectLost(f"The answer's result is larger than {MAX_REPLY // 2**20} MiB.")
            return self._receive(size, deadline)
        except TimeoutError:
            limit = self.each if longest == self.each else self.seconds
            raise SubjectLost(f"The answer took longer than {_seconds(limit)}.") from None
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
            raise SubjectLost(f"The answer wrote more than {MAX_SCRATCH // 2**20} MiB of files.")

    def _why_ended(self) -> str:
        """End the process if it is still running, and return the reason why it ended."""
        status = self._end().get("status")
        if status is None:
            return "The answer's process has ended."
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            if number == signal.SIGXCPU:
                return f"The answer used more than {_seconds(self.seconds)} of processor time."
            if number == signal.SIGKILL:  # the system's signal at the hard limit, or without memory
                limits = f"more than {_seconds(self.seconds)} of processor time, or all memory"
                return f"The system ended the answer's process, because it used {limits}."
            return f"The answer's process crashed ({signal.Signals(number).name})."
        return "The answer ended its own process."

    def _end(self) -> dict[str, Any]:
        if not self.running:
            return {}
        self.running: bool = False
        return self.server.command([], do="end")

    def close(self) -> None:
        """End the answer's process, and delete its files."""
        self.channel.close()
        try:
            self._end()
        finally:
            remove_tree(self.scratch)
