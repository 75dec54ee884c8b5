"""The switch that disables telemetry of other packages, so that these packages send no data.

On import, ONNX Runtime starts to report its use, with an ID of the machine. JupyterLab queries PyPI for newer
versions and jupyter.org for news.
"""

from __future__ import annotations

import os
import sys

__all__ = ["LAB_OPTIONS", "SWITCHES", "switch_off"]

#: The environment variables, which child processes inherit. A variable that the user has set keeps its value.
SWITCHES = {"ORT_DISABLE_TELEMETRY": "1"}

#: The options for JupyterLab.
LAB_OPTIONS = [
    "--LabApp.check_for_updates_class=jupyterlab.handlers.announcements.NeverCheckForUpdate",
    "--LabApp.news_url=None",
]


def switch_off() -> None:
    """Disable telemetry of other packages, unless the user has set their environment variables (:data:`SWITCHES`).

    The import of this package calls this function.

    Examples
    --------
    >>> switch_off()
    >>> "ORT_DISABLE_TELEMETRY" in os.environ
    True
    """
    for name, value in SWITCHES.items():
        os.environ.setdefault(name, value)
    if "onnxruntime" in sys.modules and os.environ["ORT_DISABLE_TELEMETRY"] == "1":
        sys.modules["onnxruntime"].disable_telemetry_events()  # imported already: only later events are off
