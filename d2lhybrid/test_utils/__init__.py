"""``mx.test_utils``: the helpers that lessons, example programs and old tests use."""

from ..support.absent import refusing
from .comparing import (
    almost_equal,
    assert_almost_equal,
    default_context,
    list_gpus,
    rand_ndarray,
    rand_shape_nd,
    same,
)
from .data import (
    download,
    get_bz2_data,
    get_cifar10,
    get_mnist,
    get_mnist_iterator,
    get_mnist_pkl,
    get_mnist_ubyte,
    get_zip_data,
)

__all__ = [
    "almost_equal", "assert_almost_equal", "default_context", "download", "get_bz2_data", "get_cifar10", "get_mnist",
    "get_mnist_iterator", "get_mnist_pkl", "get_mnist_ubyte", "get_zip_data", "list_gpus", "rand_ndarray",
    "rand_shape_nd", "same",
]  # fmt: skip

globals()["__getattr__"] = refusing(__name__)
