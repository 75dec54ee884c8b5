"""``mx.mon``: a monitor that, every few batches, logs statistics of the arrays that executors compute."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Callable
from typing import Any

from . import ndarray as nd
from .internals.support.display import Shown

__all__ = ["Monitor"]


class Monitor(Shown):
    r"""A monitor of outputs, gradients, and parameters of executors.

    Parameters
    ----------
    interval : int
        Number of batches between two reports.
    stat_func : callable, optional
        Function that returns the statistic of an array as an array or a list of arrays; by default, the norm divided
        by the square root of the number of elements.
    pattern : str
        Regular expression for the names of arrays to monitor.
    sort : bool
        Whether to sort results by name.
    monitor_all : bool
        Whether to also monitor the inputs of operators.

    Examples
    --------
    >>> import d2lhybrid as mx
    >>> executor = mx.sym.relu(mx.sym.var("x"), name="a").simple_bind(mx.cpu(), x=(1,))
    >>> monitor = mx.mon.Monitor(1, stat_func=lambda x: x)
    >>> monitor.install(executor)
    >>> monitor.tic()
    >>> outputs = executor.forward(x=mx.nd.array([2]))
    >>> monitor.toc()
    [(1, 'a_output', '2.0\t'), (1, 'x', '2.0\t')]
    """

    interval: int
    sort: bool
    monitor_all: bool
    step: int

    def __init__(
        self,
        interval: int,
        stat_func: Callable[[Any], Any] | None = None,
        pattern: str = ".*",
        sort: bool = False,
        monitor_all: bool = False,
    ) -> None:
        self.stat_func = stat_func or (lambda x: nd.norm(x) / math.sqrt(x.size))
        self.interval, self.sort, self.monitor_all = interval, sort, monitor_all
        self.re_prog = re.compile(pattern)
        self.activated, self.step = False, 0
        self.queue: list[tuple[int, str, Any]] = []
        self.exes: list[Any] = []

    def stat_helper(self, name: Any, array: Any) -> None:
        """Record the statistic of an array if the current batch is monitored and the name matches.

        Parameters
        ----------
        name : str or bytes
            Name of the array.
        array : NDArray
            The array.
        """
        text = name.decode() if isinstance(name, bytes) else name
        if self.activated and self.re_prog.match(text):
            self.queue.append((self.step, text, self.stat_func(array)))

    def install(self, exe: Any) -> None:
        """Install the monitor in an executor.

        Parameters
        ----------
        exe : Executor
            The executor.
        """
        exe.set_monitor_callback(self.stat_helper, self.monitor_all)
        self.exes.append(exe)

    def tic(self) -> None:
        """Start a batch. In every ``interval``-th batch, statistics are recorded until :meth:`toc`."""
        if self.step % self.interval == 0:
            self.queue, self.activated = [], True
        self.step += 1

    def toc(self) -> list[tuple[int, str, str]]:
        """End a batch, and return the recorded statistics.

        Returns
        -------
        list of (int, str, str)
            For each recorded array, the number of the batch, the name, and the statistic as a string.

        Raises
        ------
        AssertionError
            If ``stat_func`` returned anything but arrays.
        """
        if not self.activated:
            return []
        for exe in self.exes:
            for name, array in {**exe.arg_dict, **exe.aux_dict}.items():
                self.stat_helper(name, array)
        self.activated: bool = False
        queue = sorted(self.queue, key=lambda entry: entry[1]) if self.sort else self.queue
        self.queue = []
        return [(step, name, _text(value)) for step, name, value in queue]

    def toc_print(self) -> None:
        """End a batch, and log the recorded statistics."""
        for step, name, value in self.toc():
            logging.info("Batch: %7d %-30s %s", step, name, value)


def _text(values: Any) -> str:
    values = [values] if isinstance(values, nd.NDArray) else values
    if not isinstance(values, list) or not all(isinstance(v, nd.NDArray) for v in values):
        raise AssertionError(f"stat_func of a Monitor must return an NDArray or a list of NDArrays, not {values!r:.80}")
    return "".join(f"{(v.asscalar() if v.shape == (1,) else v.asnumpy())!s}\t" for v in values)
