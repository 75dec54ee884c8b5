"""Nothing leaves the machine: what packages that this one works with would report, or ask for, is switched off.

ONNX Runtime reports its use from the moment that it is imported, and gives the machine a number of its own; JupyterLab
asks PyPI for newer versions of itself, and jupyter.org for news.
"""

from __future__ import annotations

import os
import sys

__all__ = ["LAB_OPTIONS", "SWITCHES", "switch_off"]

#: Environment variables, which child processes inherit. A variable that is set already keeps its value.
SWITCHES = {"ORT_DISABLE_TELEMETRY": "1"}

#: What JupyterLab is started with.
LAB_OPTIONS = [
    "--LabApp.check_for_updates_class=jupyterlab.handlers.announcements.NeverCheckForUpdate",
    "--LabApp.news_url=None",
]


def switch_off() -> None:
    """Switch off reports, as early as this package is imported.

    Examples
    --------
    >>> switch_off()
    >>> "ORT_DISABLE_TELEMETRY" in os.environ
    True
    """
    for name, value in SWITCHES.items():
        os.environ.setdefault(name, value)
    if "onnxruntime" in sys.modules and os.environ["ORT_DISABLE_TELEMETRY"] == "1":
        sys.modules["onnxruntime"].disable_telemetry_events()  # it came first; at least nothing more is reported
