"""The size of each picture in a saved notebook, in bytes, appended to RESULTS.md.

Sizes are exact except for a few bytes that depend on displayed numbers. A notebook stores the text of an output and
its page: the static picture for readers without scripts, and the compressed script, style, and data of the view.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import numpy

import d2lhybrid as mx
from d2lhybrid import nd
from d2lhybrid.gluon import nn
from d2lhybrid.gluon.model_zoo import vision
from d2lhybrid.internals.pictures import picture as pictures
from d2lhybrid.internals.pictures.columns import columns_of
from d2lhybrid.internals.pictures.picture import to_json
from d2lhybrid.internals.pictures.text_steps import text_steps
from d2lhybrid.internals.pictures.widgets.page import data_of, script_of, style_of

#: The program of the lesson, as a string.
PROGRAM = """
def add(a, b):
    return a + b

def fancy_func(a, b, c, d):
    e = add(a, b)
    f = add(c, d)
    g = add(e, f)
    return g

print(fancy_func(1, 2, 3, 4))
"""
RESULTS = Path(__file__).resolve().parent / "RESULTS.md"


class Perceptron(nn.HybridBlock):
    """The net of the lesson."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.hidden = nn.Dense(256, activation="relu")
            self.output = nn.Dense(2)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        print("x:", x)
        return self.output(self.hidden(x))


class Deep(nn.HybridBlock):
    """A net of five hundred operators without layers."""

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        for _ in range(125):
            y = F.tanh(x)
            x = F.sigmoid(y) + x * y
        return x


def lenet() -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(6, 5, padding=2, activation="sigmoid"), nn.AvgPool2D(2, 2),
        nn.Conv2D(16, 5, activation="sigmoid"), nn.AvgPool2D(2, 2),
        nn.Dense(120, activation="sigmoid"), nn.Dense(84, activation="sigmoid"), nn.Dense(10),
    )  # fmt: skip
    return net


#: Name -> function that creates a net, and shape of the input.
NETS: dict[str, tuple[Callable[[], Any], tuple[int, ...]]] = {
    "perceptron": (Perceptron, (2, 512)),
    "LeNet": (lenet, (2, 1, 28, 28)),
    "ResNet-18": (vision.resnet18_v1, (1, 3, 32, 32)),
    "500 nodes": (Deep, (2, 8)),
}


def net_of(name: str) -> tuple[Any, Any]:
    """Return a new initialized net, and its input."""
    mx.random.seed(1)
    make, shape = NETS[name]
    net = make()
    net.initialize()
    return net, nd.array(numpy.random.default_rng(1).random(shape, dtype="float32"))


def pictures_of(name: str) -> dict[str, Callable[[], Any]]:
    """Return a function that creates each picture of a net."""
    quick: dict[str, Any] = {"rounds": 5, "seconds": 0.02, "progress": False}

    def graph(**options: Any) -> Any:
        net, x = net_of(name)
        return net.graph(x, **options)

    def over() -> Any:
        net, x = net_of(name)
        return mx.compare_over(net, [1, 2, 4], x, **quick)

    return {
        "print_trace": lambda: mx.print_trace(*net_of(name)),
        "compile_steps": lambda: mx.compile_steps(*net_of(name), measure=False),
        "compile_steps, record=True": lambda: mx.compile_steps(*net_of(name), record=True, measure=False),
        "graph": graph,
        "graph, backward=True": lambda: graph(backward=True),
        "compare": lambda: mx.compare(*net_of(name), **quick),
        "compare_over": over,
    }


#: Pictures of other objects than nets.
OTHERS: dict[str, Callable[[], Any]] = {
    "text_steps": lambda: text_steps(PROGRAM),
    "predict": lambda: mx.predict("What does x + x print for x = 3?", lambda: 6, [3, 6, 9], "It is twice x."),
}


def bytes_of(picture: Any) -> dict[str, int]:
    """Return the size of a cell's output in a notebook in bytes, and the sizes of its parts."""
    with mock.patch.object(pictures, "_in_kernel", lambda: True):
        bundle = picture._repr_mimebundle_()[0]
    lines = {kind: text.splitlines(keepends=True) for kind, text in bundle.items()}  # as a notebook's file has them

    page = bundle["text/html"]

    def packed(text: str) -> int:
        return len(zlib.compress(text.encode(), 9)) * 4 // 3

    return {
        "all": len(json.dumps(lines, ensure_ascii=False, indent=1).encode()),
        "text": len(bundle["text/plain"].encode()),
        "static": len(page.partition("<script>")[0].encode()),
        "script": packed(script_of(picture.view_name) + style_of(picture.view_name)),
        "data": min(packed(to_json(data_of(picture))), packed(to_json(columns_of(data_of(picture))))),
        "unpacked": len(to_json(data_of(picture)).encode()),
    }


def main() -> None:
    lines = ["", "## Bytes of a picture in a saved notebook", "",
             "| net | picture | total | text | static picture | script and style | data | data, uncompressed |",
             "|---|---|--:|--:|--:|--:|--:|--:|"]  # fmt: skip
    print("\n".join(lines[-2:]))
    for name in sys.argv[1:] or [*NETS, "none"]:
        for title, make in (OTHERS if name == "none" else pictures_of(name)).items():
            found = bytes_of(make())
            lines.append(f"| {name} | `{title}` | {' | '.join(f'{n:,}' for n in found.values())} |")
            print(lines[-1], flush=True)
    if len(sys.argv) == 1:
        before = RESULTS.read_text().partition("\n## Bytes of a picture")[0].rstrip("\n")
        RESULTS.write_text("\n".join([before, *lines]) + "\n")


if __name__ == "__main__":
    main()
