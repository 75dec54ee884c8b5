"""``mx.image.detection``: the augmenters and the iterator for detection, in a module with MXNet's name."""

from __future__ import annotations

from . import det_augmenters, det_iterator
from .det_augmenters import *  # noqa: F403
from .det_iterator import *  # noqa: F403

__all__ = []
__all__ += det_augmenters.__all__
__all__ += det_iterator.__all__
