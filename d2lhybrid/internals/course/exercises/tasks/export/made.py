"""Random nets in files."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy

from d2lhybrid import nd
from d2lhybrid.gluon import nn

#: Operators that a hand-written list in an answer would miss.
_FUNCTIONS = ("abs", "arcsinh", "arctan", "cbrt", "ceil", "cos", "degrees", "erf", "exp", "expm1", "floor", "negative",
              "ones_like", "radians", "rint", "sigmoid", "sign", "sin", "sinh", "softmax", "softsign", "square", "tanh",
              "trunc", "zeros_like")  # fmt: skip


class SavedNet(NamedTuple):
    """A net, an input, and the files that ``export`` wrote."""

    net: nn.HybridSequential
    x: numpy.ndarray
    files: dict[str, bytes]


def saved_net(rng: numpy.random.Generator, prefix: str | None = None, functions: int = 0) -> SavedNet:
    """Return a random net that has been exported.

    Parameters
    ----------
    rng : Generator
        Random generator for the layers and their sizes.
    prefix : str, optional
        Prefix of all names in the files.
    functions : int
        Number of layers that consist of a single operator; all these operators are different.
    """
    net = nn.HybridSequential(prefix=prefix)
    features = int(rng.integers(2, 6))
    applied = [str(name) for name in rng.choice(_FUNCTIONS, functions, replace=False)] if functions else []
    kinds = [
        *applied,
        "relu",
        "flat",
        *(str(kind) for kind in rng.choice(["dense", "relu", "norm", "flat"], rng.integers(1, 3))),
    ]
    with net.name_scope() if prefix else contextlib.nullcontext():
        for kind in rng.permutation(kinds):
            if kind in applied:
                net.add(nn.HybridLambda(str(kind)))
                continue
            units = int(rng.integers(2, 7))
            net.add(nn.Dense(units, activation="relu" if kind == "relu" else None))
            if kind == "norm":
                net.add(nn.BatchNorm())
            if kind == "flat":
                net.add(nn.Flatten(), nn.Activation("tanh"))
    net.initialize()
    net.hybridize()
    x = rng.uniform(-2, 2, (3, features)).astype("float32")
    net(nd.array(x))
    for parameter in net.collect_params().values():
        parameter.set_data(nd.array(rng.uniform(0.1, 1, parameter.shape)))
    with tempfile.TemporaryDirectory() as folder:
        net.export(f"{folder}/net")
        files = {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir(), reverse=True)}
    return SavedNet(net, x, files)
