"""The switch for MXNet's behavior, for programs written for MXNet."""

from __future__ import annotations

__all__ = ["OldPrograms"]


class OldPrograms:
    """Whether ``as_mxnet()`` was called in this process, whose imports it also changes."""

    served: bool = False
