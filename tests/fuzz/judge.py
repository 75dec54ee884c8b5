"""Real MXNet as the judge: what its eager program sees. ``D2LHYBRID_MXNET_PYTHON`` names its interpreter.

Not every difference is ours: MXNet has gradients that are wrong or made of memory that nobody wrote. So this mode runs
only where it is asked for, and a person reads what it finds.
"""

from __future__ import annotations

import base64
import functools
import json
import os
import struct
import subprocess
from pathlib import Path
from typing import Any

import numpy

from . import prelude
from .compare import Seen
from .program import Program
from .steps import use_text

__all__ = ["JudgeError", "ask"]


class JudgeError(Exception):
    """MXNet raises, or dies, where this package does not: it has no answer."""


@functools.cache
def _server() -> Any:
    return subprocess.Popen(
        [os.environ["D2LHYBRID_MXNET_PYTHON"], str(Path(__file__).with_name("mxnet_server.py"))],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
    )  # fmt: skip


def ask(program: Program, eager: str) -> Seen:
    """Return what a program sees in MXNet.

    Raises
    ------
    JudgeError
        If MXNet raises an error, or its process ends.
    """
    text = "\n\n".join([prelude.text(), program.class_text(), use_text(program), eager])
    data = json.dumps({"text": text, "flavour": program.flavour}).encode()
    server = _server()
    try:
        server.stdin.write(struct.pack("<I", len(data)) + data)
        server.stdin.flush()
        head = server.stdout.read(4)
        if len(head) < 4:
            raise BrokenPipeError
        answer = json.loads(server.stdout.read(struct.unpack("<I", head)[0]))
    except BrokenPipeError:
        server.kill()
        server.wait()
        _server.cache_clear()
        raise JudgeError("MXNet's process has died") from None
    if isinstance(answer, str):
        raise JudgeError(answer)
    return [
        (name, numpy.frombuffer(base64.b64decode(raw), dtype).reshape(shape), "cpu(0)")
        for name, raw, dtype, shape in answer
    ]
