"""``mx.mod``: a symbol, its arrays, an optimizer and a training loop in one object.

:class:`Module` is one symbol; :class:`BucketingModule` one for each length of a sequence, with the same parameters;
:class:`SequentialModule` a chain of modules; :class:`PythonModule` has no symbol at all. All are built on executors.
"""

from .base_module import BaseModule
from .bucketing_module import BucketingModule
from .module import Module
from .python_module import PythonLossModule, PythonModule
from .sequential_module import SequentialModule

__all__ = ["BaseModule", "BucketingModule", "Module", "PythonLossModule", "PythonModule", "SequentialModule"]
