"""``gluon.contrib.data``: a sampler with strides, and texts for language models."""

from d2lhybrid.internals.support.absent import refusing

from . import sampler, text
from .sampler import IntervalSampler
from .text import WikiText2, WikiText103

__all__ = ["IntervalSampler", "WikiText2", "WikiText103", "sampler", "text"]

globals()["__getattr__"] = refusing(__name__)
