"""The programs: those after reports, from ``reports.txt``, and generated ones."""

from __future__ import annotations

import re
from pathlib import Path

from . import corners, edges, indexing, settings

__all__ = ["after_reports", "generated"]


def after_reports() -> dict[str, str]:
    """Return programs by their names, which begin with the number of a report of apache/mxnet.

    Before the number is ``nlp``, ``cv``, ``ts``, or ``zh`` if the report is of gluon-nlp, gluon-cv, gluonts, or d2l-zh.
    """
    text = Path(__file__).with_name("reports.txt").read_text("utf-8")
    parts = re.split(r"^### ", text, flags=re.MULTILINE)[1:]
    return {name: lines.rstrip() for name, _, lines in (part.partition("\n") for part in parts)}


def generated() -> dict[str, str]:
    """Return generated programs by their names."""
    return {**indexing.programs(), **corners.programs(), **settings.programs(), **edges.programs()}
