"""The view of an error that is explained: the line, the values, the remedy to copy."""

from __future__ import annotations

from .base import Widget

__all__ = ["ErrorLensWidget"]


class ErrorLensWidget(Widget):
    """Shows an :class:`~d2lhybrid.seeing.error_lens.ErrorLens`; its buttons ask Python for nothing."""

    script = "error_lens"


view = ErrorLensWidget
