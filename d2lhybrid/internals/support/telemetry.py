"""Telemetry of other packages is disabled, so that nothing leaves the machine.

ONNX Runtime reports its use from its import on, with an ID of the machine; JupyterLab asks PyPI for newer versions of
itself, and jupyter.org for news.
"""

from __future__ import annotations

import os
import sys

__all__ = ["LAB_OPTIONS", "SWITCHES", "switch_off"]

#: Environment variables, which child processes inherit. A variable that is set already keeps its value.
SWITCHES = {"ORT_DISABLE_TELEMETRY": "1"}

#: The options for JupyterLab.
LAB_OPTIONS = [
    "--LabApp.check_for_updates_class=jupyterlab.handlers.announcements.NeverCheckForUpdate",
    "--LabApp.news_url=None",
]


def switch_off() -> None:
    """Switch off reports; called when this package is imported.

    Examples
    --------
    >>> switch_off()
    >>> "ORT_DISABLE_TELEMETRY" in os.environ
    True
    """
    for name, value in SWITCHES.items():
        os.environ.setdefault(name, value)
    if "onnxruntime" in sys.modules and os.environ["ORT_DISABLE_TELEMETRY"] == "1":
        sys.modules["onnxruntime"].disable_telemetry_events()  # it was imported first; at least it reports nothing more
