"""Functions and classes that control the environment of a test: device, environment variables, output, and batches."""

from __future__ import annotations

import contextlib
import os
import platform
import sys
from collections.abc import Iterator
from typing import Any

from ..context import Context, current_context, num_gpus
from ..io import DataIter
from ..ndarray.ndarray import waitall
from ..runtime import Features

__all__ = [
    "DummyIter", "default_context", "discard_stderr", "environment", "has_tvm_ops", "is_aarch64_run", "is_cd_run",
    "is_op_runnable", "list_gpus", "set_default_context",
]  # fmt: skip


def list_gpus() -> range:
    """Return the indices of the GPUs.

    Examples
    --------
    >>> isinstance(list_gpus(), range)
    True
    """
    return range(num_gpus())


def default_context() -> Context:
    """Return the device on which tests run.

    Examples
    --------
    >>> default_context()
    cpu(0)
    """
    return current_context()


def set_default_context(ctx: Context) -> None:
    """Set the device on which tests run.

    Parameters
    ----------
    ctx : Context
        The device.

    Examples
    --------
    >>> set_default_context(default_context())
    """
    Context.default_ctx = ctx  # type: ignore[assignment]


def is_cd_run() -> bool:
    """Return whether the process runs in a release build of MXNet (``CD_JOB=1``).

    Examples
    --------
    >>> with environment("CD_JOB", "1"):
    ...     is_cd_run()
    True
    """
    return os.environ.get("CD_JOB") == "1"


def is_aarch64_run() -> bool:
    """Return whether the processor has the architecture AArch64.

    Examples
    --------
    >>> is_aarch64_run() == (platform.machine() == "aarch64")
    True
    """
    return platform.machine() == "aarch64"


def has_tvm_ops() -> bool:
    """Return False, because TVM generates no operators.

    Examples
    --------
    >>> has_tvm_ops()
    False
    """
    return Features().is_enabled("TVM_OP")


def is_op_runnable() -> bool:
    """Return True, because TVM generates no operators, and every device can run all other operators.

    Examples
    --------
    >>> is_op_runnable()
    True
    """
    return not has_tvm_ops()


@contextlib.contextmanager
def discard_stderr() -> Iterator[None]:
    """Return a context manager that discards standard error, including the output of C libraries.

    Examples
    --------
    >>> with discard_stderr():
    ...     _ = os.system("echo lost >&2")
    """
    try:
        number = sys.stderr.fileno()
    except (AttributeError, OSError):  # standard error is not a file, for example, in a notebook
        yield
        return
    kept = os.dup(number)
    try:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), number)
        yield
    finally:
        os.dup2(kept, number)
        os.close(kept)


@contextlib.contextmanager
def environment(*args: Any) -> Iterator[None]:
    """Return a context manager that sets environment variables, and restores them at the end.

    Parameters
    ----------
    *args
        A name and a value, or a dict from names to values. The value None removes a variable.

    Raises
    ------
    AssertionError
        If the arguments have another form.

    Examples
    --------
    >>> with environment("A_NAME", "a value"):
    ...     print(os.environ["A_NAME"])
    a value
    >>> "A_NAME" in os.environ
    False
    """
    if len(args) == 1 and isinstance(args[0], dict):
        wanted = args[0]
    else:
        assert len(args) == 2, "Expecting one dict arg or two args: env var name and value"
        wanted = {args[0]: args[1]}

    def put(values: dict[str, str | None]) -> None:
        for name, value in values.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

    before = {name: os.environ.get(name) for name in wanted}
    put(wanted)
    try:
        yield
    finally:
        waitall()
        put(before)


class DummyIter(DataIter):
    """An iterator that repeats the first batch of another iterator, to measure time without loading data.

    Parameters
    ----------
    real_iter : DataIter
        Source of the batch.

    Examples
    --------
    >>> import numpy
    >>> from d2lhybrid.io import NDArrayIter
    >>> batches = DummyIter(NDArrayIter(numpy.arange(6), batch_size=2))
    >>> [next(batches).data[0].asnumpy() for _ in range(2)]
    [array([0., 1.], dtype=float32), array([0., 1.], dtype=float32)]
    """

    def __init__(self, real_iter: DataIter) -> None:
        super().__init__()
        self.real_iter = real_iter
        self.provide_data = real_iter.provide_data  # type: ignore[attr-defined]
        self.provide_label = real_iter.provide_label  # type: ignore[attr-defined]
        self.batch_size = real_iter.batch_size
        self.the_batch = next(real_iter)

    def next(self) -> Any:
        """Return the first batch.

        Examples
        --------
        >>> import numpy
        >>> from d2lhybrid.io import NDArrayIter
        >>> DummyIter(NDArrayIter(numpy.arange(6), batch_size=2)).next().pad
        0
        """
        return self.the_batch
