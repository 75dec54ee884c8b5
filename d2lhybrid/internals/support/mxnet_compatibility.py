"""Whether programs of MXNet are served, with MXNet's habits."""

from __future__ import annotations

__all__ = ["OldPrograms"]


class OldPrograms:
    """Whether ``as_mxnet()`` was called in this process: its imports are those of the whole process, too."""

    served: bool = False
