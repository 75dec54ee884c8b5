"""``check_hybridization``: its home is :mod:`d2lhybrid.seeing.check`."""

from __future__ import annotations

from .seeing.check import Finding, Findings, check_hybridization

__all__ = ["Finding", "Findings", "check_hybridization"]
