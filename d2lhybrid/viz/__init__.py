"""Seeing what runs: plain data first, then text, SVG and HTML made from it. No widgets, no scripts.

Every model is a :class:`~d2lhybrid.viz.picture.Picture`. :mod:`d2lhybrid.widgets` has the interactive views.
"""

from __future__ import annotations
