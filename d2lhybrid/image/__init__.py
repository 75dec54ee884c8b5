"""``mx.image``: functions that read, resize, crop, and augment images, and iterators over batches of images.

Pillow, which Matplotlib requires, reads image files. All other functions need only NumPy.
"""

from __future__ import annotations

from .. import io, recordio
from .. import ndarray as nd
from ..internals.support.absent import refusing
from . import detection, image
from . import detection as det
from .detection import *  # noqa: F403
from .image import *  # noqa: F403

__all__ = ["det", "detection", "image", "io", "nd", "recordio"]
__all__ += detection.__all__
__all__ += image.__all__

globals()["__getattr__"] = refusing(__name__)
