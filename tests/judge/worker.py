"""Runs programs and says what they saw: started by an interpreter, asked through pipes, one answer a question.

``worker.py here FOLDER...`` puts this package in the place of MXNet; ``worker.py mxnet`` takes MXNet as it is. A
question is a length and JSON: the text of a program, and, here alone, how much each operator rounds more than it has
to, and whether settings are held in single precision. An answer is the same: what the program noted, and the error
that ended it. Python 3.8 reads this file, too.
"""

from __future__ import annotations

import base64
import contextlib
import gc
import json
import os
import shutil
import signal
import struct
import sys
import tempfile
import warnings
from typing import Any


def answer(question, rounding):
    """Return what a program saw, and its error in words."""
    import mxnet  # pyright: ignore[reportMissingImports]

    names: dict[str, Any] = {"__name__": "program"}
    folder, before = tempfile.mkdtemp(), os.getcwd()
    error = ""
    try:
        os.chdir(folder)
        mxnet.random.seed(1)
        with rounding(question):
            exec(compile(question["text"], "program", "exec"), names)
            mxnet.nd.waitall()
    except Exception as raised:
        error = type(raised).__name__ + ": " + str(raised)
    finally:
        mxnet.npx.reset_np()
        os.chdir(before)
        shutil.rmtree(folder, ignore_errors=True)
    seen = []
    for name, value in names.get("seen", ()):
        seen.append([name, base64.b64encode(value.tobytes()).decode(), value.dtype.str, list(value.shape)])
    names.clear()
    gc.collect()
    return {"seen": seen, "error": error}


def nothing(question):
    """Round as MXNet does."""
    return contextlib.nullcontext()


def prepare(side, folders):
    """Let ``import mxnet`` find what it should; return how to round more than needed."""
    if side == "mxnet":
        return nothing
    sys.path[:0] = folders
    from fuzz.noise import noise
    from judge.single import single

    import d2lhybrid
    from d2lhybrid.internals.compiler import tiers

    d2lhybrid.as_mxnet()
    tiers.LEAST_WORK = 0  # small programs are promoted, too, if a program asks for it

    @contextlib.contextmanager
    def rounding(question):
        with contextlib.ExitStack() as stack:
            stack.enter_context(d2lhybrid.config(tiers=True))  # what a program changes is changed back
            if question["single"]:
                stack.enter_context(single(question["seed"], question["rounding"]))
            if question["rounding"]:
                stack.enter_context(noise(question["seed"], question["rounding"]))
            yield

    return rounding


#: The signal by which a child ends itself when it gets an empty question.
ANEW = signal.SIGUSR2


def received(count):
    """Return so many bytes of standard input, and read no more: the next child reads what follows."""
    parts = []
    while count:
        part = os.read(0, count)
        if not part:
            os._exit(0)
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def answer_all(rounding, out):
    """Answer until there are no more questions, or an empty one."""
    while True:
        size = struct.unpack("<I", received(4))[0]
        if not size:
            os.kill(os.getpid(), ANEW)
            signal.pause()  # until it arrives: another thread may get it
        question = json.loads(received(size).decode())
        data = json.dumps(answer(question, rounding)).encode()
        out.write(struct.pack("<I", len(data)) + data)
        out.flush()


def main(side, *folders):
    """Let one child after the other answer; end as a child ends that no empty question has ended."""
    warnings.simplefilter("ignore")
    sys.path.pop(0)  # this folder
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a program prints is no answer
    rounding = prepare(side, folders)
    __import__("mxnet")
    gc.freeze()  # what is there for good is not looked at again after every program
    while True:
        child = os.fork()
        if not child:
            answer_all(rounding, out)
        status = os.waitpid(child, 0)[1]
        if os.WIFEXITED(status):
            os._exit(os.WEXITSTATUS(status))
        if os.WTERMSIG(status) != ANEW:
            os.kill(os.getpid(), os.WTERMSIG(status))


if __name__ == "__main__":
    main(*sys.argv[1:])
