"""The server of answers: a process that forks a confined process for each answer.

The server runs in a copy of the package without the exercises and the checker, so answers cannot find solutions.
The server itself runs no student code. A checker sends commands that start and end an answer through a socket.
Questions and replies use a second socket, between the checker and the answer's process.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import socket
import struct
import sys
from typing import Any

from .codec import encode
from .confine import confine, readable_folders
from .running import run_cells
from .session import AnswerError, Session

__all__ = ["main", "read_frame", "write_frame"]


def read_frame(read: Any) -> bytes | None:
    """Return the next message of a stream, without its length prefix; None at the end of the stream.

    Parameters
    ----------
    read : callable
        Function ``read(count)``, which returns at most ``count`` bytes.
    """
    head = _read_exactly(read, 4)
    return None if head is None else _read_exactly(read, struct.unpack(">I", head)[0])


def _read_exactly(read: Any, count: int) -> bytes | None:
    parts = []
    while count:
        part = read(min(count, 2**20))
        if not part:
            return None
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def write_frame(stream: socket.socket, data: bytes) -> None:
    """Write a message to a socket, preceded by its length."""
    stream.sendall(struct.pack(">I", len(data)) + data)


def _serve_answer(channel: socket.socket, task: dict[str, Any]) -> None:
    """Run an answer, and reply to questions until the channel is closed; then end the process without returning."""
    request = read_frame(channel.recv)
    assert request is not None
    work = json.loads(request)
    confine(task["read"], task["scratch"], task["seconds"], task["memory"])
    try:
        names = run_cells(work["cells"], work["prelude"], work["name"])
        missing = work["name"] not in names
        first = {"missing": True} if missing else {"ready": True}
    except BaseException as error:  # SystemExit, too
        first = {"error": AnswerError.of(error).to_data()}
        names = {}
    write_frame(channel, encode(first))
    session = Session(names.get(work["name"]))
    while (question := read_frame(channel.recv)) is not None:
        write_frame(channel, session.reply(question))


def _become_answer(channel: socket.socket, task: dict[str, Any]) -> None:
    """Turn a forked process into a confined process for an answer."""
    status = 1
    try:
        os.setsid()
        null = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(null, number)
        number = channel.detach()
        os.dup2(number, 3)
        os.closerange(4, 4096)
        os.chdir(task["scratch"])
        os.environ.clear()
        os.environ.update(HOME=task["scratch"], TMPDIR=task["scratch"], D2LHYBRID_DATA=task["scratch"])
        _serve_answer(socket.socket(fileno=3), task)
        status = 0
    finally:
        os._exit(status)


def _children() -> list[int]:
    with contextlib.suppress(OSError), open(f"/proc/self/task/{os.getpid()}/children") as stream:
        return [int(pid) for pid in stream.read().split()]
    return []


def _end(pid: int) -> int:
    """End an answer's process and all processes that it started, and return its exit status."""
    for target in (-pid, pid):
        with contextlib.suppress(OSError):
            os.kill(target, signal.SIGKILL) if target > 0 else os.killpg(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    while children := _children():  # orphaned processes have become our children
        for child in children:
            with contextlib.suppress(OSError):
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
    return status


def _status_of(pid: int) -> int | None:
    """Return the exit status of a process that has ended, or None if the process is still running."""
    info = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    return None if info is None else info.si_status


def main(control: socket.socket, stage: str) -> None:
    """Start and end answers, one at a time, until the checker ends.

    Parameters
    ----------
    control : socket
        Socket to the checker. Each command is a datagram; a command that starts an answer carries the answer's socket.
    stage : str
        Folder of the package's copy.
    """
    import bz2  # noqa: F401  what is loaded now need not be read later
    import decimal  # noqa: F401
    import hashlib  # noqa: F401
    import lzma  # noqa: F401
    import random  # noqa: F401
    import tempfile  # noqa: F401
    import zipfile  # noqa: F401

    from d2lhybrid import autograd, gluon, metric, nd, np, npx, optimizer, sym  # noqa: F401

    from . import compilers, nets, values  # noqa: F401

    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # adopt the orphaned processes of answers
    read = readable_folders(stage)
    pid = 0
    while True:
        data, descriptors, _, _ = socket.recv_fds(control, 65536, 1)
        if not data:
            break
        command = json.loads(data)
        reply: dict[str, Any] = {}
        if command["do"] == "start":
            channel = socket.socket(fileno=descriptors[0])
            pid = os.fork()
            if pid == 0:
                _become_answer(channel, {**command, "read": read})
            channel.close()
        elif command["do"] == "end" and pid:
            with contextlib.suppress(ChildProcessError):
                ended = _status_of(pid) is not None
                reply = {"status": _end(pid), "ended": ended}
            pid = 0
        control.send(json.dumps(reply).encode())
    if pid:
        _end(pid)
