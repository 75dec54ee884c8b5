"""Compares what this package answers with what real MXNet answered."""

from __future__ import annotations

import functools
import json
import math
import warnings
from typing import Any

import numpy

import d2lhybrid
import d2lhybrid.ndarray  # with which backends come
from d2lhybrid.error import MXNetError
from d2lhybrid.internals.core.backends import get_backend

from .answers import answer
from .cases import Instance, Try
from .record import RECORDED

__all__ = ["answer_of", "backends", "recorded", "same"]

Answer = dict[str, Any]


@functools.cache
def recorded() -> dict[str, Answer]:
    """Return what real MXNet answered, by the name of the call."""
    return json.loads(RECORDED.read_text("utf-8"))


@functools.cache
def backends() -> tuple[str, ...]:
    """Return the backends that can be asked for here."""
    found = ["numpy"]
    for name in ("c", "onednn"):
        try:
            get_backend(name)
        except MXNetError:
            continue
        found.append(name)
    return tuple(found)


def _number(x: Any) -> float:
    return float(x)


def _same_array(mine: list[Any], theirs: list[Any]) -> bool:
    if mine[:2] != theirs[:2]:
        return False
    tolerance = 2e-3 if mine[0] == "float16" else 2e-5
    for a, b in zip(map(_number, mine[2]), map(_number, theirs[2]), strict=True):
        if math.isnan(a) != math.isnan(b):
            return False
        if not math.isnan(a) and a != b and not abs(a - b) <= tolerance * max(1, abs(b)):
            return False
    return True


def _same_part(mine: Any, theirs: Any) -> bool:
    if isinstance(mine, dict) or isinstance(theirs, dict):  # an error
        return isinstance(mine, dict) and isinstance(theirs, dict)
    return len(mine) == len(theirs) and all(map(_same_array, mine, theirs))


def same(mine: Answer, theirs: Answer) -> bool:
    """Return whether two answers are the same: values and gradients to rounding, or errors both."""
    if "ends" in theirs or "varies" in theirs:
        return False
    if "error" in mine or "error" in theirs:
        return "error" in mine and "error" in theirs
    if not _same_part(mine["values"], theirs["values"]):
        return False
    return _same_part(mine.get("gradients", []), theirs.get("gradients", []))


def answer_of(instance: Instance, a_try: Try, block: Any = None) -> Answer:
    """Return what this package answers: line by line, or through a block."""
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        return answer(d2lhybrid, instance, a_try, block)
