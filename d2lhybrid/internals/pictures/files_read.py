"""The files of a net, and the results of their readers compared with the net's result."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy

from ...ndarray import load
from ..support.words import add_words, labelled, listed, translate
from .html import element, escape
from .picture import Picture
from .theme import MONOSPACE, PALETTE, tint

__all__ = ["FilesRead"]

_OTHERS = "It returns other numbers. The largest difference is {difference}."


class FilesRead(Picture):
    """The contents of files, and the results of the functions that read them.

    Parameters
    ----------
    files : sequence of path
        Paths of the files.
    readers : mapping of str to (sequence of str, array, array)
        By the name of a function, the files that it reads, its result, and the net's result.

    Attributes
    ----------
    rows : list of (str, str, str)
        Name, size, and contents of each file.
    verdicts : list of (str, list of str, str, bool)
        For each reader, its name, its files, a sentence that compares the results, and whether the results are equal
        up to rounding.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> net = nn.Dense(2, in_units=3)
    >>> net.initialize()
    >>> with TemporaryDirectory() as folder:
    ...     net.save_parameters(f"{folder}/net.params")
    ...     weight = nd.load(f"{folder}/net.params")["weight"]
    ...     readers = {"nd.load": (["net.params"], weight.asnumpy(), net.weight.data().asnumpy())}
    ...     FilesRead([f"{folder}/net.params"], readers)
    net.params  ... bytes  2 arrays, 8 numbers
    nd.load <- net.params: It returns the same 6 numbers.
    """

    rows: list[tuple[str, str, str]]
    verdicts: list[tuple[str, list[str], str, bool]]

    def __init__(self, files: Sequence[str | Path], readers: Mapping[str, tuple[Sequence[str], Any, Any]]) -> None:
        self.rows = [
            (Path(f).name, f"{Path(f).stat().st_size:,} {translate('bytes')}", _content(Path(f))) for f in files
        ]
        self.verdicts = [(name, list(read), *_compared(got, wanted)) for name, (read, got, wanted) in readers.items()]

    def to_dict(self) -> dict[str, Any]:
        """Return files and readers as lists."""
        return {"files": [list(row) for row in self.rows], "readers": [list(row) for row in self.verdicts]}

    def to_text(self) -> str:
        """Return a line for each file and for each reader."""
        lines = ["  ".join(row) for row in self.rows]
        lines += [labelled(f"{name} <- {listed(read)}", told) for name, read, told, _ in self.verdicts]
        return "\n".join(lines)

    def to_html(self) -> str:
        """Return two columns of cards, with the files on the left and their readers on the right."""
        mono = f"font: 12px/1.5 {MONOSPACE}; overflow-wrap: anywhere"
        files = [
            _card("traced", element("b", escape(name), style=mono), element("div", escape(f"{size} · {content}")))
            for name, size, content in self.rows
        ]
        readers = [
            _card("compiled" if same else "error", element("b", escape(name)),
                  element("div", escape(f"← {listed(read)}"), style=mono), element("div", escape(told)))
            for name, read, told, same in self.verdicts
        ]  # fmt: skip
        columns = []
        for title, cards in ((translate("Files"), files), (translate("Readers"), readers)):
            head = element("div", escape(title), style="font-weight: 600; margin-bottom: 4px")
            columns.append(element("div", head, *cards, style="flex: 1 1 260px; min-width: 0"))
        return element("div", *columns, style="display: flex; flex-wrap: wrap; gap: 16px; margin: 6px 0")


def _card(colour: str, *content: str) -> str:
    style = (
        f"border-left: 4px solid {PALETTE[colour][0]}; background: {tint(colour, 0.12)}; padding: 5px 10px; "
        "margin-bottom: 6px; box-sizing: border-box"
    )
    return element("div", *content, style=style)


def _content(path: Path) -> str:
    """Return a description of a file's content."""
    if path.suffix == ".json":
        nodes = json.loads(path.read_text(encoding="utf-8"))["nodes"]
        count = sum(node["op"] != "null" for node in nodes)
        return translate("a graph: {n} operators, {m} variables", n=count, m=len(nodes) - count)
    if path.suffix == ".params":
        arrays = load(str(path))
        count = sum(int(numpy.prod(array.shape)) for array in arrays.values())
        return translate("{n} arrays, {count} numbers", n=len(arrays), count=f"{count:,}")
    return translate("graph and arrays in one file")


def _compared(got: Any, wanted: Any) -> tuple[str, bool]:
    got, wanted = numpy.asarray(got, "float64"), numpy.asarray(wanted, "float64")
    if got.shape != wanted.shape:
        return translate(
            "It returns an array of shape {shape}, not {wanted}.", shape=got.shape, wanted=wanted.shape
        ), False
    if numpy.array_equal(got, wanted, equal_nan=True):
        return translate("It returns the same {n} numbers.", n=f"{got.size:,}"), True
    with numpy.errstate(invalid="ignore"):  # of infinite numbers
        difference = f"{float(abs(got - wanted).max()):.1g}"
    same = numpy.allclose(got, wanted, rtol=1e-3, atol=1e-4)
    text = "It returns the same {n} numbers up to {difference}." if same else _OTHERS
    return translate(text, n=f"{got.size:,}", difference=difference), same


add_words({
    "Files": "文件",
    "Readers": "读取文件的程序",
    "a graph: {n} operators, {m} variables": "计算图：{n} 个算子，{m} 个变量",
    "{n} arrays, {count} numbers": "{n} 个数组，共 {count} 个数",
    "graph and arrays in one file": "计算图和数组在同一个文件里",
    "It returns an array of shape {shape}, not {wanted}.": "返回的数组形状是 {shape}，而不是 {wanted}。",
    "It returns the same {n} numbers.": "返回同样的 {n} 个数。",
    "It returns the same {n} numbers up to {difference}.": "返回同样的 {n} 个数，最多相差 {difference}。",
    _OTHERS: "返回的数不同，最多相差 {difference}。",
})  # fmt: skip
