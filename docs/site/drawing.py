"""The drawing of the first page in Chinese: the English one, with other words in the same places."""

from __future__ import annotations

import re

__all__ = ["in_chinese"]

#: What the drawing says -> the same in Chinese. Lines of programs, numbers and names of operators stay.
WORDS = {
    "One Gluon program runs three ways": "同一个 Gluon 程序，三种运行方式",
    "A hybrid_forward with F = nd runs eagerly on arrays. With F = sym it is traced into a graph. The compiler turns "
    "the graph into a flat program. All three give the same numbers.": "F 是 nd 时，hybrid_forward 处理数组，逐行运行；"
    "F 是 sym 时，追踪得到计算图；编译器再把计算图变成一个平铺的程序。三种方式的结果相同。",
    "A Gluon program, written once": "一个 Gluon 程序，只写一次",
    "1  Eagerly, on arrays": "1  逐行运行：处理数组",
    "every line runs at once; print works": "每一行立即运行；print 会打印",
    "2  As a graph, on symbols": "2  计算图：处理符号",
    "traced once; nothing is computed": "只追踪一次；不做任何计算",
    "3  As a compiled program": "3  编译后的程序",
    "optimised; no hybrid_forward left": "优化过；不再运行 hybrid_forward",
    "All three give the same numbers. Every step from one to the next is an object to print, draw and step through.": (
        "三种方式的结果相同。从一种到下一种的每一步都是一个对象，可以打印、画图、逐步执行。"
    ),
}
_FONT = 'system-ui, "Segoe UI", "Noto Sans", '


def in_chinese(drawing: str) -> str:
    """Return a drawing, a text in SVG, with Chinese words.

    Raises
    ------
    ValueError
        If the drawing says something that has no translation here, or no longer says what has one.
    """
    said = {text.strip() for text in re.findall(r">([^<>]*[A-Za-z][^<>]*)</(?:text|title|desc)>", drawing)}
    sentences = {text for text in said if len(re.findall(r"\b[a-z]+\b", text)) > 1 and not re.search(r"[()=\[]", text)}
    sentences |= said & WORDS.keys()
    if sentences != WORDS.keys() or _FONT not in drawing:
        raise ValueError(f"The drawing and its Chinese words differ: {sorted(sentences ^ WORDS.keys())}")
    for english, chinese in WORDS.items():
        drawing = drawing.replace(f">{english}<", f">{chinese}<")
    return drawing.replace(_FONT, _FONT + '"Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", ')
