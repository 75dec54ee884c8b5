"""``gluon.contrib.data``: further samplers. The data sets of texts, which MXNet downloads, are not here."""

from . import sampler
from .sampler import IntervalSampler

__all__ = ["IntervalSampler", "sampler"]
