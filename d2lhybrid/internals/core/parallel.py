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
        """The thread limit for workers of a data loader. In this policy, the limit has no effect."""

        limit: int = os.cpu_count() or 1

        @staticmethod
        def use_one() -> None:
            """Do nothing, so that a worker's matrix products use NumPy's threads."""

        @staticmethod
        def one_for_children() -> contextlib.AbstractContextManager[None]:
            """Return a context manager that changes nothing."""
            return contextlib.nullcontext()

    def worth_dividing(self, arrays: Sequence[Any]) -> bool:
        """Return whether to divide an operation on arrays among threads; always False in this policy.

        Parameters
        ----------
        arrays : sequence of array
            The inputs of the operation.

        Returns
        -------
        bool
            Whether to divide the operation.
        """
        return False

    def crowded(self, arrays: Sequence[Any] = ()) -> bool:
        """Return whether other processes, or a library that computes with the arrays, need the cores.

        This policy always returns False.

        Parameters
        ----------
        arrays : sequence of array
            The inputs of the call; not used by this policy.

        Returns
        -------
        bool
            Whether to use fewer threads.
        """
        return False

    def limited(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function; this policy doesn't limit the threads of the function's matrix products.

        Parameters
        ----------
        function : callable
            The function to call.
        *args, **kwargs : object
            The function's arguments.

        Returns
        -------
        object
            The function's result.
        """
        return function(*args, **kwargs)

    def run(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function; this policy doesn't limit its threads, even if other processes need the cores.

        Parameters
        ----------
        function : callable
            The function to call.
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
