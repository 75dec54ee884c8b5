"""Reversal of a program's side effects outside its net, on names and random generators."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from typing import Any

from ..check.observing import Preserved, find_variables, start_generators
from ..check.source_reading import functions_of

__all__ = ["nothing_else_changed"]


@contextlib.contextmanager
def nothing_else_changed(net: Any) -> Iterator[None]:
    """Return a scope that suppresses output and, at its end, restores the notebook's variables and random generators.

    The net itself is not restored, because it is a copy. Random numbers are the same in every such
    scope, so that only the sources can cause different results.
    """
    kept = Preserved(net, [])
    kept.remember_generators()
    start_generators(0)
    variables = find_variables([], functions_of(net))
    for variable in variables:
        variable.remember()
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            yield
    finally:
        kept.restore_generators()
        for variable in variables:
            variable.reset()
