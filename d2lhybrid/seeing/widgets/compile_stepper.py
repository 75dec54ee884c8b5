"""The view of the steps of a compilation."""

from __future__ import annotations

from .base import Widget, action

__all__ = ["CompileStepperView", "view"]


class CompileStepperView(Widget):
    """Step, play and scrub through a :class:`~d2lhybrid.seeing.compile_steps.StepData`."""

    script = "compile_stepper"

    @action
    def set_record(self, record: bool) -> None:
        """Compile again, with gradients or without."""
        self.picture.set_record(record)


view = CompileStepperView
