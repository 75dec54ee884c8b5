"""The ways in which a net may be run: each is text that makes the net, and what must be there to run it."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import importlib.util
import os
import random
import shutil
from collections.abc import Iterator
from typing import Any

from d2lhybrid.internals.compiler import onednn

from .program import Program

__all__ = ["MODES", "Mode", "thresholds", "thresholds_text"]


@dataclasses.dataclass(frozen=True)
class Mode:
    """One way to run a net.

    Attributes
    ----------
    name : str
        What it is called on the command line.
    flags : str
        The arguments of ``hybridize``.
    lines : tuple of str
        What makes ``net`` ready, after it was made; ``FLAGS`` are the arguments.
    scale : float
        How much more than NumPy it may round.
    absolute : float
        By how much a result may differ however small it is.
    predicts_only : bool
        Whether it is only another way in prediction.
    gpu : bool
        Whether it runs on the simulated GPU.
    refusal : str
        A pattern of the errors with which it says that it cannot run a program.
    tiers : str
        When programs are compiled further: ``"first"`` at their first call; empty if after many calls.
    judge : bool
        Whether real MXNet runs the eager program: a person reads what differs.
    """

    name: str
    flags: str = ""
    lines: tuple[str, ...] = ("net.hybridize(FLAGS)", "net(*x)", "fill(net)")
    scale: float = 1.0
    absolute: float = 0.0
    predicts_only: bool = False
    gpu: bool = False
    refusal: str = ""
    tiers: str = ""
    judge: bool = False

    def make_text(self, program: Program) -> str:
        """Return the function that makes the net in this way."""
        head = [
            *([f"mx.config(tiers={self.tiers!r})"] if self.tiers else []), f"flags = dict({self.flags})", "", "",
            "def hybrid(x, ctx):", f'    net = {program.net.name}(prefix="net_")', "    net.initialize(ctx=ctx)",
        ]  # fmt: skip
        given = {"FLAGS": self.flags, "COUNT": str(len(program.inputs))}
        body = ["net(*x)"] if program.follows_values else []
        body += self.lines
        for word, value in given.items():
            body = [line.replace(word, value) for line in body]
        return "\n".join([*head, *(f"    {line}" for line in body), "    return net"]) + "\n"

    @property
    def needs_files(self) -> bool:
        """Whether the net goes through files."""
        return any("exported(" in line for line in self.lines) or self.name == "onnxruntime"

    @property
    def missing(self) -> str:
        """What is not installed here that this mode needs, in words; empty if nothing."""
        if (self.name == "c" or self.gpu) and not (shutil.which("cc") or shutil.which("gcc")):
            return "a C compiler"
        if self.name.startswith("onednn") and not onednn.is_available():
            return "oneDNN"
        if self.judge and not os.environ.get("D2LHYBRID_MXNET_PYTHON"):
            return "real MXNet, whose interpreter D2LHYBRID_MXNET_PYTHON names"
        if self.name == "onnxruntime" and not all(map(importlib.util.find_spec, ("onnx", "onnxruntime"))):
            return "onnx and onnxruntime"
        return ""


def eager_text(program: Program) -> str:
    """Return the function that makes the net as it is compared with."""
    return (
        f'def eager(x, ctx):\n    net = {program.net.name}(prefix="net_")\n'
        "    net.initialize(ctx=ctx)\n    net(*x)\n    return fill(net)\n"
    )


_LATE = ("net(*x)", "fill(net)", "net.hybridize(FLAGS)")
_INNER = ("net(*x)", "fill(net)", "for child in net._children.values(): child.hybridize()")
_IMPORTED = ("net.hybridize()", "net(*x)", "fill(net)", "net = exported(net, COUNT)")

MODES = {
    mode.name: mode
    for mode in (
        Mode("hybrid"),
        Mode("late", lines=_LATE),
        Mode("static", "static_alloc=True"),
        Mode("shape", "static_alloc=True, static_shape=True"),
        Mode("inner", lines=_INNER),
        Mode(
            "exported",
            lines=("net.hybridize()", "net(*x)", "fill(net)", "net = exported(net, COUNT)", "net.hybridize()"),
        ),
        Mode("imported", lines=_IMPORTED),
        Mode("c", 'backend="c"', scale=4),
        Mode("c static", 'backend="c", static_alloc=True, static_shape=True', scale=4),
        Mode("onednn", 'backend="onednn"', scale=8),
        Mode("onednn static", 'backend="onednn", static_alloc=True, static_shape=True', scale=8),
        Mode(
            "onnxruntime",
            'backend="onnxruntime"',
            scale=16,
            absolute=1e-6,
            predicts_only=True,
            refusal="UnsupportedOperatorsError|Could not find an implementation",
        ),
        Mode("promoted", scale=16, absolute=1e-6, tiers="first"),
        Mode("gpu", scale=8, gpu=True),
        Mode("gpu static", "static_alloc=True, static_shape=True", scale=8, gpu=True),
        Mode("eager gpu", lines=("net(*x)", "fill(net)"), scale=8, gpu=True),
        Mode("mxnet", scale=8, absolute=1e-6, refusal="JudgeError", judge=True),
    )
}

#: Sizes from which on the compiler does something else: (module below ``d2lhybrid``, name) -> small values to try.
THRESHOLDS: dict[tuple[str, str], tuple[int, ...]] = {
    ("internals.compiler.passes.fuse_elementwise", "MIN_SIZE"): (1, 6, 24),
    ("internals.compiler.passes.fuse_elementwise", "BLOCK"): (4, 7, 64),
    ("internals.compiler.numpy_writer", "_MIN_BYTES_TO_FREE"): (1, 32),
    ("internals.core.passes.fold_constants", "MAX_CONSTANT_BYTES"): (0, 16),
    ("internals.compiler.passes.assign_layout", "FEW_COLUMNS"): (1, 4),
    ("internals.compiler.passes.assign_layout", "CACHED_BYTES"): (1, 256),
    ("internals.compiler.passes.regions", "OPEN_REGIONS"): (1, 3),
    ("internals.compiler.backends.c_program", "MIN_SIZE"): (1, 8),
    ("internals.compiler.backends.c_recurrent", "SMALLEST_BATCH"): (1, 2, 100),
    ("internals.compiler.backends.c_region", "PARALLEL_WORK"): (16,),
    ("internals.compiler.backends.cuda_region", "VECTOR_SIZE"): (8,),
    ("internals.compiler.backends.cupy_program", "OWN_FLOPS"): (1, 1 << 40),
    ("internals.compiler.tiers", "LEAST_WORK"): (0,),
    ("internals.compiler.tiers", "CHANNELS"): (1, 3),
    ("internals.compiler.tiers", "PRODUCT"): (1, 64),
    ("internals.compiler.tiers", "CONVOLVING"): (1, 1 << 60),
    ("internals.compiler.onednn.matmul", "MIN_PRODUCT"): (1, 64),
    ("internals.compiler.onednn.matmul", "MIN_COLUMNS"): (1, 3),
    ("internals.compiler.backends.onednn_bodies", "LARGEST_PACKED"): (0, 256),
    ("onnx.division", "LARGE"): (1, 256),
    ("onnx.division", "WORTH_A_SESSION"): (1,),
    ("internals.ops.elementwise", "MIN_SIZE"): (1, 8),
    ("internals.ops.repeated", "MIN_SIZE"): (1, 8),
    ("internals.ops.order", "LONG"): (2, 4),
    ("internals.ops.portable", "_MANY"): (1, 8),
    ("internals.ops.polyphase", "ENOUGH"): (0, 1 << 30),
    ("internals.ops.unfold", "CHUNK"): (8, 64),
    ("internals.ops.unfold", "BAND"): (1, 32),
    ("internals.ops.repeated", "MANY"): (2, 6),
    ("internals.ops.repeated", "FEWEST"): (1, 3),
}


def choose_thresholds(seed: int) -> dict[tuple[str, str], int]:
    """Return thresholds to set: often all low, sometimes some, sometimes none."""
    rng = random.Random(f"thresholds {seed}")
    share = rng.choice([0.0, 0.5, 0.9, 1.0])
    return {key: rng.choice(values) for key, values in THRESHOLDS.items() if rng.random() < share}


@contextlib.contextmanager
def thresholds(chosen: dict[tuple[str, str], int]) -> Iterator[None]:
    """Set thresholds of the compiler for a while."""
    before: list[tuple[Any, str, int]] = []
    try:
        for (module, name), value in chosen.items():
            found = importlib.import_module(f"d2lhybrid.{module}")
            before.append((found, name, getattr(found, name)))
            setattr(found, name, value)
        yield
    finally:
        for found, name, value in before:
            setattr(found, name, value)


def thresholds_text(chosen: dict[tuple[str, str], int]) -> str:
    """Return the lines that set thresholds."""
    return "".join(
        f'setattr(importlib.import_module("d2lhybrid.{module}"), "{name}", {value})\n'
        for (module, name), value in chosen.items()
    )
