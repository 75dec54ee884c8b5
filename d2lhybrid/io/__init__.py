"""``mx.io``: iterators over batches with names, shapes, and padding, from arrays (:mod:`.io`) and from files."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .io import DataBatch, DataDesc, DataIter, NDArrayIter, PrefetchingIter, ResizeIter
from .utils import getdata_by_idx, has_instance, init_data

if TYPE_CHECKING:
    from .base import MXDataIter
    from .boxes import ImageDetRecordIter
    from .records import ImageRecordInt8Iter, ImageRecordIter, ImageRecordUInt8Iter
    from .tables import CSVIter, LibSVMIter, MNISTIter

__all__ = [
    "CSVIter",
    "DataBatch",
    "DataDesc",
    "DataIter",
    "ImageDetRecordIter",
    "ImageRecordInt8Iter",
    "ImageRecordIter",
    "ImageRecordUInt8Iter",
    "LibSVMIter",
    "MNISTIter",
    "MXDataIter",
    "NDArrayIter",
    "PrefetchingIter",
    "ResizeIter",
]

_init_data, _has_instance, _getdata_by_idx = init_data, has_instance, getdata_by_idx

#: MXNet's names of older versions, which ``import *`` does not export.
_OLD_NAMES = ("ImageRecordIter_v1", "ImageRecordUInt8Iter_v1")
#: Iterators over files, and their modules, which are imported on first use because they load the image code.
_HOMES = {
    "CSVIter": "tables", "ImageDetRecordIter": "boxes", "ImageRecordInt8Iter": "records", "ImageRecordIter": "records",
    "ImageRecordUInt8Iter": "records", "LibSVMIter": "tables", "MNISTIter": "tables", "MXDataIter": "base",
    **dict.fromkeys(_OLD_NAMES, "records"),
}  # fmt: skip
#: All public names of this module, imported or not. ``mx.io.io`` has these names, too.
ITERATORS_OVER_FILES = frozenset(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_OLD_NAMES})
