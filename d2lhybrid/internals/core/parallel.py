"""Who decides how many threads a product of matrices gets: NumPy, until something better is installed.

:mod:`d2lhybrid.internals.compiler.threads` installs itself here. It leaves processors to other programs on a busy
machine.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["Unlimited", "install_threads", "threads"]


class Unlimited:
    """Leaves the number of threads to NumPy."""

    class brake:  # noqa: N801  as in :mod:`d2lhybrid.internals.compiler.threads`
        """Counts processors for workers of a loader, and slows nobody down."""

        limit: int = os.cpu_count() or 1

        @staticmethod
        def use_one() -> None:
            """Do nothing: a worker's products use what NumPy uses."""

        @staticmethod
        def one_for_children() -> contextlib.AbstractContextManager[None]:
            """Return a context in which nothing changes."""
            return contextlib.nullcontext()

    def worth_dividing(self, arrays: Sequence[Any]) -> bool:
        """Return whether arrays are so large that threads share the work."""
        return False

    def crowded(self) -> bool:
        """Return whether other programs need processors."""
        return False

    def limited(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function with as many threads as there are processors left."""
        return function(*args, **kwargs)

    def run(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function, limited if other programs need processors."""
        return function(*args, **kwargs)


#: What is asked before and during products: :class:`Unlimited`, or the module that was installed.
threads: Any = Unlimited()


def install_threads(policy: Any) -> None:
    """Have another object, with the functions of :class:`Unlimited`, decide."""
    global threads
    threads = policy
