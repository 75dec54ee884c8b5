"""Random streams of a loader's workers: each batch has its own, in any worker."""

from __future__ import annotations

import random
from typing import Any

import numpy

from ...internals.device import backend
from ...internals.support.scopes import Scope

__all__ = ["Streams"]


class Streams:
    """The random streams of one epoch, which depend on ``mx.random.seed`` and the number of a batch."""

    def __init__(self) -> None:
        self._epoch = backend.spawn_seed()

    def _words(self, number: int) -> Any:
        key = (*self._epoch.spawn_key, number)
        return numpy.random.SeedSequence(self._epoch.entropy, spawn_key=key).generate_state(6)

    def lent(self, number: int) -> Scope:
        """Return a scope in which this thread draws the numbers of one batch.

        Parameters
        ----------
        number : int
            The number of the batch in the epoch.
        """
        return backend.separate_streams(_seed(self._words(number)))

    def begin(self, number: int) -> None:
        """Draw the numbers of one batch from now on in this process, from Python's and NumPy's generators, too.

        Parameters
        ----------
        number : int
            The number of the batch in the epoch.
        """
        words = self._words(number)
        backend.seed(_seed(words))
        numpy.random.seed(words[2:])
        random.seed(words[2:].tobytes())


def _seed(words: Any) -> int:
    return int(words[:2].view("uint64")[0] >> 1)
