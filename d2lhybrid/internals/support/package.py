"""Where this package is, and what it is called."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["FOLDER", "NAME"]

#: The folder of the package; its parent is what a search path has to hold. Links are not followed: so begin the names
#: of our files in tracebacks, too.
FOLDER = Path(os.path.abspath(__file__)).parents[2]
#: The name of the package.
NAME = __name__.partition(".")[0]
