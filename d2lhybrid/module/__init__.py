"""``mx.mod``: modules, which combine a symbol, its arrays, an optimizer, and a training loop.

:class:`Module` has a single symbol. :class:`BucketingModule` has a symbol for each sequence length, with shared
parameters. :class:`SequentialModule` is a chain of modules. :class:`PythonModule` has no symbol. Modules with symbols
use executors.
"""

from .base_module import BaseModule
from .bucketing_module import BucketingModule
from .module import Module
from .python_module import PythonLossModule, PythonModule
from .sequential_module import SequentialModule

__all__ = ["BaseModule", "BucketingModule", "Module", "PythonLossModule", "PythonModule", "SequentialModule"]
