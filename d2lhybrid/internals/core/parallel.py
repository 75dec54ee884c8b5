"""The policy for the number of threads of a matrix product: NumPy's own, until another is installed.

:mod:`d2lhybrid.internals.compiler.threads` installs its policy here, which leaves cores to other processes on a busy
machine.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["Unlimited", "install_threads", "threads"]


class Unlimited:
    """The policy that leaves the number of threads to NumPy."""

    class brake:  # noqa: N801  as in :mod:`d2lhybrid.internals.compiler.threads`
        """The thread limit for workers of a data loader, which here limits nothing."""

        limit: int = os.cpu_count() or 1

        @staticmethod
        def use_one() -> None:
            """Do nothing: a worker's products use NumPy's threads."""

        @staticmethod
        def one_for_children() -> contextlib.AbstractContextManager[None]:
            """Return a context that changes nothing."""
            return contextlib.nullcontext()

    def worth_dividing(self, arrays: Sequence[Any]) -> bool:
        """Return whether arrays are large enough to divide the work among threads."""
        return False

    def crowded(self) -> bool:
        """Return whether other processes need the cores."""
        return False

    def limited(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function with as many threads as there are free cores."""
        return function(*args, **kwargs)

    def run(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function, with limited threads if other processes need the cores."""
        return function(*args, **kwargs)


#: The policy in force: :class:`Unlimited`, or the installed module.
threads: Any = Unlimited()


def install_threads(policy: Any) -> None:
    """Install another policy, an object with the functions of :class:`Unlimited`."""
    global threads
    threads = policy
