"""``mx.image.image``: all functions and classes except those for detection, in a module with MXNet's name."""

from __future__ import annotations

from .. import io, recordio  # noqa: F401 - MXNet has them there, too
from .. import ndarray as nd  # noqa: F401
from . import augmenters, cropping, iterator, rotation
from . import image_files as reading
from .augmenters import *  # noqa: F403
from .cropping import *  # noqa: F403
from .cropping import interpolation_method as _get_interp_method  # noqa: F401 - other packages use it
from .image_files import *  # noqa: F403
from .iterator import *  # noqa: F403
from .rotation import *  # noqa: F403

__all__ = []
__all__ += augmenters.__all__
__all__ += cropping.__all__
__all__ += iterator.__all__
__all__ += reading.__all__
__all__ += rotation.__all__
