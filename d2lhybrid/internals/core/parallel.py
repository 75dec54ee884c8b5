"""The policy for the number of threads of a matrix product. The default policy leaves the number to NumPy.

:mod:`d2lhybrid.internals.compiler.threads` installs a policy that uses fewer cores while other processes need them.
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
        """The thread limit for workers of a data loader, which has no effect in this policy."""

        limit: int = os.cpu_count() or 1

        @staticmethod
        def use_one() -> None:
            """Do nothing, so that a worker's matrix products use NumPy's threads."""

        @staticmethod
        def one_for_children() -> contextlib.AbstractContextManager[None]:
            """Return a context that changes nothing."""
            return contextlib.nullcontext()

    def worth_dividing(self, arrays: Sequence[Any]) -> bool:
        """Return whether an operation on these arrays is large enough for several threads.

        Parameters
        ----------
        arrays : sequence of array
            The arrays.

        Returns
        -------
        bool
            Whether several threads are faster.
        """
        return False

    def crowded(self, arrays: Sequence[Any] = ()) -> bool:
        """Return whether other processes need the cores, or another library needs them during a call with these arrays.

        Parameters
        ----------
        arrays : sequence of array
            The arrays.

        Returns
        -------
        bool
            Whether to use fewer threads.
        """
        return False

    def limited(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function, whose matrix products may use one thread for each free core.

        Parameters
        ----------
        function : callable
            The function.
        *args, **kwargs : object
            The function's arguments.

        Returns
        -------
        object
            The function's result.
        """
        return function(*args, **kwargs)

    def run(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function, and limit the threads of its matrix products if other processes need the cores.

        Parameters
        ----------
        function : callable
            The function.
        *args, **kwargs : object
            The function's arguments.

        Returns
        -------
        object
            The function's result.
        """
        return function(*args, **kwargs)


#: The current policy: :class:`Unlimited`, or an installed object or module.
threads: Any = Unlimited()


def install_threads(policy: Any) -> None:
    """Install a policy for the number of threads.

    Parameters
    ----------
    policy : object or module
        An object with the functions of :class:`Unlimited`.
    """
    global threads
    threads = policy
