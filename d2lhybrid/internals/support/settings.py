"""The settings of ``d2lhybrid.config``, in an object that every module may read."""

from __future__ import annotations

import os

__all__ = ["Settings", "settings"]


class Settings:
    """The settings of this package, which :func:`d2lhybrid.config` changes."""

    warn_silent_differences: bool = False
    lang: str = "en"
    ask: bool = True
    explain: bool = True
    tiers: bool | str = {"0": False, "first": "first"}.get(os.environ.get("D2LHYBRID_TIERS", ""), True)


settings: Settings = Settings()
