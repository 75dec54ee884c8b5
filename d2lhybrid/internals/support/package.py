"""Where this package is, and what it is called."""

from __future__ import annotations

from pathlib import Path

__all__ = ["FOLDER", "NAME"]

#: The folder of the package; its parent is what a search path has to hold.
FOLDER = Path(__file__).resolve().parents[2]
#: The name of the package.
NAME = __name__.partition(".")[0]
