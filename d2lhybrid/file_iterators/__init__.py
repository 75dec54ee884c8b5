"""Iterators of ``mx.io`` over files: tables, sparse tables, digits, and record files of images."""

from __future__ import annotations

from .base import MXDataIter
from .records import ImageRecordInt8Iter, ImageRecordIter, ImageRecordUInt8Iter
from .tables import CSVIter, LibSVMIter, MNISTIter

__all__ = [
    "CSVIter",
    "ImageRecordInt8Iter",
    "ImageRecordIter",
    "ImageRecordUInt8Iter",
    "LibSVMIter",
    "MNISTIter",
    "MXDataIter",
]
