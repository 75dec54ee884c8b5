"""The folder and the name of this package."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["FOLDER", "NAME"]

#: The folder of the package, whose parent belongs on the search path. Links are not followed, as in the file names of
#: tracebacks.
FOLDER = Path(os.path.abspath(__file__)).parents[2]
#: The name of the package.
NAME = __name__.partition(".")[0]
