"""Screenshots for people to look at: no test compares them, so none is taken unless a folder for them is named."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

__all__ = ["shot", "wanted"]


def wanted() -> bool:
    """Return whether ``D2LHYBRID_SCREENSHOTS`` names a folder for screenshots."""
    return bool(os.environ.get("D2LHYBRID_SCREENSHOTS"))


def shot(target: Any, file: Path, **options: Any) -> None:
    """Save a screenshot of a page or of a locator, if ``D2LHYBRID_SCREENSHOTS`` names a folder for screenshots."""
    if wanted():
        target.screenshot(path=str(file), **options)
