"""The folder and the name of this package."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["FOLDER", "NAME"]

#: The folder of the package; its parent must be on Python's search path. As in tracebacks, links are not followed.
FOLDER = Path(os.path.abspath(__file__)).parents[2]
#: The name of the package.
NAME = __name__.partition(".")[0]
