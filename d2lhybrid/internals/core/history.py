"""The history of a net's traces and compilations, with their reasons.

Each trace and each compilation adds one event; cache hits add none. The reason of a compilation lists the differences
between the new signature and the most similar cached signature.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..support.display import Shown

__all__ = ["WORDS", "Event", "reasons_to_compile"]

#: The terms of other frameworks for each kind of event.
WORDS: dict[str, dict[str, str]] = {
    "trace": {
        "TensorFlow": "tracing",
        "JAX": "tracing",
        "PyTorch": "graph capture",
    },
    "retrace": {
        "TensorFlow": "retracing",
        "JAX": "retracing (tracing cache miss)",
        "PyTorch": "recompile (guard failure)",
    },
    "compile": {
        "TensorFlow": "first concrete function",
        "JAX": "compilation (cache miss)",
        "PyTorch": "compile",
    },
    "recompile": {
        "TensorFlow": "retracing",
        "JAX": "recompilation (cache miss)",
        "PyTorch": "recompile (guard failure)",
    },
    "promote": {
        "TensorFlow": "lazy XLA compilation",
        "JAX": "no such step: the first call compiles",
        "PyTorch": "profiling executor of TorchScript",
    },
}

#: The largest number of changed inputs that are listed; more changes are only counted.
_MAX_LISTED = 4


@dataclass(frozen=True, repr=False)
class Event(Shown):
    """A trace or a compilation of a net.

    Attributes
    ----------
    kind : {"trace", "retrace", "compile", "recompile", "promote"}
        For ``"trace"`` and ``"retrace"``, ``hybrid_forward`` ran with symbols. For ``"compile"`` and ``"recompile"``,
        the graph was compiled for the first signature or for a further signature. For ``"promote"``, a faster backend
        compiled a program again after many calls.
    reasons : tuple of str
        The reasons for the trace or the compilation.
    seconds : float
        The duration in seconds.
    """

    kind: str
    reasons: tuple[str, ...]
    seconds: float

    @property
    def words(self) -> dict[str, str]:
        """The terms of other frameworks for this kind of event, by framework.

        Examples
        --------
        >>> Event("recompile", ("training mode",), 0.001).words["PyTorch"]
        'recompile (guard failure)'
        """
        return WORDS[self.kind]


def reasons_to_compile(known: Iterable[Any], key: Any, names: Sequence[str]) -> tuple[str, ...]:
    """Return the differences between a new signature and the most similar cached signature.

    Parameters
    ----------
    known : iterable of tuple
        The cached signatures: training mode, wanted gradients, context, then shape and element type of every input.
    key : tuple
        The new signature.
    names : sequence of str
        The names of the inputs.

    Returns
    -------
    tuple of str
        The differences, of which only the first are listed if there are many; ``"first call"`` if `known` is empty.

    Examples
    --------
    >>> known = [(False, None, "cpu(0)", ((1, 5), "float32"))]
    >>> reasons_to_compile(known, (True, None, "cpu(0)", ((4, 5), "float32")), ["data"])
    ('the shape of data changed from (1, 5) to (4, 5)', 'training mode')
    """
    best: list[str] | None = None
    for old in known:
        changes = _changes(old, key, names)
        if best is None or len(changes) <= len(best):  # of equally similar signatures, the newest counts
            best = changes
    if best is None:
        return ("first call",)
    if len(best) > _MAX_LISTED + 1:
        best = [*best[:_MAX_LISTED], f"and {len(best) - _MAX_LISTED} more changes"]
    return tuple(best)


def _changes(old: Any, new: Any, names: Sequence[str]) -> list[str]:
    changes = []
    for name, (old_shape, old_dtype), (shape, dtype) in zip(names, old[3:], new[3:], strict=True):
        if old_shape != shape:
            changes.append(f"the shape of {name} changed from {old_shape} to {shape}")
        if old_dtype != dtype:
            changes.append(f"the dtype of {name} changed from {old_dtype} to {dtype}")
    if old[0] != new[0]:
        changes.append("training mode" if new[0] else "predict mode")
    if old[1] != new[1]:
        changes.append(_change_of_wanted(old[1], new[1]))
    if old[2] != new[2]:
        changes.append(f"the context changed from {old[2]} to {new[2]}")
    return changes


def _change_of_wanted(old: Sequence[bool] | None, new: Sequence[bool] | None) -> str:
    if new is None:
        return "not recording"
    text = f"recording gradients for {sum(new)} of {len(new)} inputs"
    if old is None:
        return text
    return f"{text}, {'but not the same inputs as before' if sum(old) == sum(new) else f'previously for {sum(old)}'}"
