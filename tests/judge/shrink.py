"""Smaller programs that show the same: parts are left out, settings and numbers made plain, until nothing can go."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator
from typing import Any

from .plan import Plan, Step

__all__ = ["shrink"]


def _parts(value: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Yield a tuple without some of its items: half of them first, then each."""
    count = len(value)
    if count > 3:
        yield value[: count // 2]
        yield value[count // 2 :]
    for i in reversed(range(count)):
        yield value[:i] + value[i + 1 :]


def _smaller(value: Any) -> Iterator[Any]:
    """Yield simpler values in the place of one: of a dataclass, a tuple, or a number."""
    if isinstance(value, Step):
        yield from _smaller_step(value)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            now = getattr(value, field.name)
            if field.default is not dataclasses.MISSING and now != field.default:
                yield dataclasses.replace(value, **{field.name: field.default})
            for one in _smaller(now):
                yield dataclasses.replace(value, **{field.name: one})
    elif isinstance(value, tuple):
        pair = len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], str | int)
        if not pair:
            yield from _parts(value)
            for i, item in enumerate(value):
                for one in _smaller(item):
                    yield (*value[:i], one, *value[i + 1 :])


def _smaller_step(step: Step) -> Iterator[Step]:
    for extras in _parts(step.extras):
        yield dataclasses.replace(step, extras=extras)
    for i, (name, value) in enumerate(step.sizes):
        for less in (1, 2, value - 1):
            if 0 < less < value:
                sizes = (*step.sizes[:i], (name, less), *step.sizes[i + 1 :])
                yield dataclasses.replace(step, sizes=sizes)


def shrink(plan: Plan, same: Callable[[Plan], bool], seconds: float) -> Plan:
    """Return a plan as small as possible for which the same is found.

    Parameters
    ----------
    plan : Plan
        What to make smaller.
    same : callable
        Whether a plan still shows it.
    seconds : float
        When to stop.
    """
    until = time.monotonic() + seconds
    progress = True
    while progress:
        progress = False
        for candidate in _smaller(plan):
            if time.monotonic() > until:
                return plan
            if candidate.size < plan.size and same(candidate):
                plan, progress = candidate, True
                break
    return plan
