"""What a student tries on a net: other shapes, and a closer look at memory, times and differences."""

from __future__ import annotations

import ast
import contextlib
from typing import Any

import numpy

from ..core.invoke import wrap
from ..device import backend
from ..gluon import HybridBlock
from ..ndarray.ndarray import NDArray
from ..support.words import add_words, translate
from .check import check_hybridization
from .check.inputs import arrays_in

__all__ = ["looked_up", "next_shape", "reshaped"]


def reshaped(inputs: Any, shape: Any = None) -> Any:
    """Return inputs of another shape, filled with the same numbers over and over.

    Parameters
    ----------
    inputs : tuple
        The inputs.
    shape : tuple of int or str, optional
        For the first of them; the others follow where they have the same batch size. By default one row more.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> [x.shape for x in reshaped((nd.ones((2, 3)), nd.ones((2,))), "(4, 3)")]
    [(4, 3), (4,)]
    """
    first = arrays_in(inputs)[0]
    wanted = next_shape(inputs) if shape is None else _parsed(shape)
    old = first.shape[0] if first.shape else None
    new = wanted[0] if wanted else None

    def change(value: Any) -> Any:
        if isinstance(value, NDArray):
            target = wanted if value is first else value.shape
            if value is not first and value.shape and value.shape[0] == old and new is not None:
                target = (new, *value.shape[1:])
            raw = numpy.resize(backend.asnumpy(value._data), target)
            return wrap(type(value), backend.to_context(raw.astype(value.dtype, copy=False), value._ctx), value._ctx)
        return type(value)(map(change, value)) if isinstance(value, list | tuple) else value

    return change(inputs)


def next_shape(inputs: Any) -> tuple[int, ...]:
    """Return the shape of the first input with one row more."""
    shape = tuple(arrays_in(inputs)[0].shape)
    return (shape[0] + 1, *shape[1:]) if shape else shape


def _parsed(shape: Any) -> tuple[int, ...]:
    try:
        read = ast.literal_eval(shape) if isinstance(shape, str) else shape
    except (ValueError, SyntaxError):
        read = None
    read = (read,) if isinstance(read, int) and not isinstance(read, bool) else read
    if not isinstance(read, list | tuple) or not all(isinstance(n, int) and n >= 0 for n in read):
        raise ValueError(f"A shape is written like (2, 3), not like {shape!r}")
    return tuple(read)


def looked_up(net: Any, inputs: Any, what: str) -> tuple[str, str]:
    """Return a title and a text: the memory plan, the times, or where the hybridized net differs.

    Raises
    ------
    ValueError
        If there is nothing to look at yet.
    """
    if what not in ("memory", "times", "check"):
        raise ValueError(f"There is 'memory', 'times' and 'check' to look at, not {what!r}")
    if not inputs:
        raise ValueError(translate("The net was not called yet"))
    if what == "check":
        return translate("Does the hybridized net compute the same?"), str(check_hybridization(net, *inputs))
    if not isinstance(net, HybridBlock):
        raise ValueError(translate("Only a HybridBlock has a program of its own"))
    if not net.programs:
        raise ValueError(translate("There is no program yet: hybridize the net, and call it"))
    if what == "times":
        return translate("Where the time goes"), str(net.explain(*inputs, profile=True))
    return translate("Which memory is used when"), _memory_text(net, inputs)


def _memory_text(net: Any, inputs: Any) -> str:
    program = net.programs[-1]
    with contextlib.suppress(IndexError, ValueError):  # a recurrent layer is given more than its program takes
        program = net._cached_op.programs.get(net._signature_of(*inputs)[0], program)
    parts = []
    for function in [program.forward, *([program.backward] if program.backward is not None else [])]:
        plan = function.plan
        lives = list(plan.lifetimes.values())
        last = len(plan.dead_after) - 1
        width = max((len(life.name) for life in lives), default=0)
        parts.append(
            translate("{name}: {n} buffers, at most {peak:,} bytes at once", name=function.name, n=len(lives),
                      peak=plan.peak_bytes)
        )  # fmt: skip
        for life in sorted(lives, key=lambda life: life.start):
            end = last if life.end is None else life.end
            bar = "·" * life.start + "█" * (end - life.start + 1) + "·" * (last - end)
            kept = "" if life.end is not None else f"  {translate('result')}"
            parts.append(f"  {life.name:{width}}  {life.nbytes:10,} B  {bar}{kept}")
        parts.append("")
    return "\n".join(parts).rstrip()


add_words(
    {
        "Does the hybridized net compute the same?": "hybridize 之后的网络计算结果相同吗？",
        "Where the time goes": "时间花在哪里",
        "Which memory is used when": "何时使用哪块内存",
        "Only a HybridBlock has a program of its own": "只有 HybridBlock 才有自己的程序",
        "The net was not called yet": "网络还没有被调用",
        "There is no program yet: hybridize the net, and call it": "还没有程序：请先 hybridize，再调用网络",
        "{name}: {n} buffers, at most {peak:,} bytes at once": "{name}：{n} 个缓冲区，同时最多 {peak:,} 字节",
        "result": "结果",
    }
)
