"""The switch for MXNet's behavior, for programs written for MXNet."""

from __future__ import annotations

__all__ = ["OldPrograms"]


class OldPrograms:
    """The switch for MXNet's behavior: whether ``as_mxnet()`` was called in this process."""

    served: bool = False
