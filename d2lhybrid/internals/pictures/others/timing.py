"""Measured times of the first call and of later calls of the lesson's nets in each framework.

``python benchmarks/four_frameworks.py`` repeats the measurement.
"""

from __future__ import annotations

import functools
import json
import math
from pathlib import Path
from typing import Any

from ...support.words import add_words, translate
from ..html import element, escape, heading, table
from ..picture import Picture
from ..theme import tint
from .peers import PEERS

__all__ = ["PATH", "FrameworkTimes", "times"]

PATH = Path(__file__).parent / "timed.json"
_NETS = {"A": "three dense layers, one row", "B": "LeNet, 16 images"}
_HOW = {"first": "first call, compiled", "later": "later call, compiled", "eager": "later call, eager"}
_COLOURS = {"first": "traced", "later": "compiled", "eager": "eager"}


@functools.cache
def times() -> dict[str, Any]:
    """Return the measurements: the date, the machine, and the times of each net in each framework, in seconds."""
    return json.loads(PATH.read_text("utf-8"))


class FrameworkTimes(Picture):
    """The times of two nets in four frameworks, as returned by ``side_by_side(timing=True)``."""

    def to_dict(self) -> dict[str, Any]:
        """Return the measured times as a JSON-compatible dictionary."""
        return times()

    def _about(self) -> str:
        data = times()
        versions = ", ".join(f"{PEERS[name]} {version}" for name, version in data["versions"].items())
        told = {"date": data["date"], "machine": data["machine"], "versions": versions, "load": data["load"]}
        return translate("measured {date} on {machine}, with {versions}; load of the machine before: {load}", **told)

    def to_text(self) -> str:
        """Return a table of times as text."""
        lines = []
        for net, title in _NETS.items():
            lines.append(translate(title))
            for name, found in times()["nets"][net].items():
                cells = [f"{translate(_HOW[how])} {written(found[how])}" for how in _HOW if how in found]
                lines.append(f"  {PEERS[name]:<11}{'   '.join(cells)}")
        return "\n".join([*lines, "", self._about()])

    def to_html(self) -> str:
        """Return tables with logarithmic bars."""
        parts = [heading(translate("The first call, and a later one"), self._about())]
        for net, title in _NETS.items():
            rows = []
            for name, found in times()["nets"][net].items():
                cells = [_bar(found[how], _COLOURS[how]) if how in found else "–" for how in _HOW]
                rows.append([element("b", escape(PEERS[name])), *cells])
            parts.append(element("p", element("b", escape(translate(title))), style="margin: 8px 0 0"))
            parts.append(table(rows, ["", *map(translate, _HOW.values())]))
        scale = escape(translate("Bars are logarithmic: the same step to the right is the same factor."))
        parts.append(element("p", scale,
                             style="font-size: 12px; opacity: 0.75"))  # fmt: skip
        return "".join(parts)


def written(seconds: float) -> str:
    """Return a time in seconds as text in a suitable unit.

    Examples
    --------
    >>> written(1.23), written(0.0456), written(7.8e-06)
    ('1.2 s', '46 ms', '7.8 µs')
    """
    unit, factor = ("s", 1.0) if seconds >= 1 else ("ms", 1e3) if seconds >= 1e-3 else ("µs", 1e6)
    value = seconds * factor
    return f"{value:.1f} {unit}" if value < 10 else f"{value:.0f} {unit}"


def _bar(seconds: float, colour: str) -> str:
    width = max(4, round(22 * (math.log10(seconds) + 6)))  # starting at a microsecond
    bar = element(
        "div", "", style=f"width: {width}px; height: 8px; background: {tint(colour, 0.9)}; border-radius: 3px"
    )
    return f"{escape(written(seconds))}{bar}"


add_words({
    "three dense layers, one row": "三个全连接层，一行数据",
    "LeNet, 16 images": "LeNet，16 张图像",
    "first call, compiled": "第一次调用（编译模式）",
    "later call, compiled": "后续调用（编译模式）",
    "later call, eager": "后续调用（逐行运行）",
    "The first call, and a later one": "第一次调用与后续调用",
    "measured {date} on {machine}, with {versions}; load of the machine before: {load}": (
        "{date} 在 {machine} 上测量，版本：{versions}；测量前机器的负载：{load}"
    ),
    "Bars are logarithmic: the same step to the right is the same factor.": (
        "横轴是对数刻度：向右移动同样的距离，时间就乘以同样的倍数。"
    ),
})  # fmt: skip
