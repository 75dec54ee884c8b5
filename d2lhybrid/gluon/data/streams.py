"""Random streams of a loader's workers. Each batch has its own streams, regardless of which worker makes the batch."""

from __future__ import annotations

import random
from typing import Any

import numpy

from ...internals.device import array_modules
from ...internals.support.scopes import Scope

__all__ = ["Streams"]


class Streams:
    """The random streams of an epoch, which depend on ``mx.random.seed`` and on the index of the batch."""

    def __init__(self) -> None:
        self._epoch = array_modules.spawn_seed()

    def _words(self, number: int) -> Any:
        key = (*self._epoch.spawn_key, number)
        return numpy.random.SeedSequence(self._epoch.entropy, spawn_key=key).generate_state(6)

    def lent(self, number: int) -> Scope:
        """Return a scope in which this thread draws random numbers from the streams of a batch.

        Parameters
        ----------
        number : int
            Index of the batch in the epoch.
        """
        return array_modules.separate_streams(_seed(self._words(number)))

    def begin(self, number: int) -> None:
        """Switch all random generators of this process, including Python's and NumPy's, to the streams of a batch.

        Parameters
        ----------
        number : int
            Index of the batch in the epoch.
        """
        words = self._words(number)
        array_modules.seed(_seed(words))
        numpy.random.seed(words[2:])
        random.seed(words[2:].tobytes())


def _seed(words: Any) -> int:
    return int(words[:2].view("uint64")[0] >> 1)
