"""``gluon.contrib.data``: further samplers. The data sets of texts, which MXNet downloads, are not here."""

from ....support.absent import refusing
from . import sampler
from .sampler import IntervalSampler

__all__ = ["IntervalSampler", "sampler"]

globals()["__getattr__"] = refusing(__name__)
