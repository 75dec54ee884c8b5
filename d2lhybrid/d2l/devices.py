"""Functions that select a device: a GPU if there is one, and the CPU otherwise."""

from __future__ import annotations

from typing import Any

__all__ = ["cpu", "gpu", "num_gpus", "try_all_gpus", "try_gpu"]


def try_gpu(i: int = 0) -> Any:
    """Return ``gpu(i)`` if it exists, and ``cpu()`` otherwise.

    Parameters
    ----------
    i : int
        Index of the GPU.

    Returns
    -------
    Context
        The device.

    Examples
    --------
    >>> try_gpu(1000)
    cpu(0)
    """
    from ..context import cpu, gpu, num_gpus

    return gpu(i) if num_gpus() >= i + 1 else cpu()


def try_all_gpus() -> list[Any]:
    """Return the contexts of all GPUs, or ``[cpu()]`` if there is no GPU.

    Returns
    -------
    list of Context
        The devices.
    """
    from ..context import cpu, gpu, num_gpus

    return [gpu(i) for i in range(num_gpus())] or [cpu()]


def cpu() -> Any:
    """Return the context of the CPU."""
    from ..context import cpu

    return cpu()


def gpu(i: int = 0) -> Any:
    """Return the context of a GPU, even if the GPU does not exist.

    Parameters
    ----------
    i : int
        Index of the GPU.

    Returns
    -------
    Context
        The device.
    """
    from ..context import gpu

    return gpu(i)


def num_gpus() -> int:
    """Return the number of GPUs."""
    from ..context import num_gpus

    return num_gpus()
