"""The view of a question of a lesson."""

from __future__ import annotations

from .base import Widget

__all__ = ["PredictWidget", "view"]


class PredictWidget(Widget):
    """Asks the question of a :class:`~d2lhybrid.seeing.predicting.Prediction`; its buttons ask Python for nothing."""

    script = "predict"


view = PredictWidget
