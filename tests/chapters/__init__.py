"""Chapters of books and tutorials that were written for MXNet, run unchanged after ``as_mxnet()``, cell by cell.

They are taken out of a git directory into a temporary folder, run there on small files in the formats of their data,
and never kept: ``make chapters GIT_DIR=/path/to/d2l-en``. What is run stands in :mod:`.sources`.
"""
