"""MXNet's example programs, run unchanged after ``as_mxnet()`` on small files in the formats of their data.

They are taken out of a git directory of MXNet into a temporary folder, run there, and never kept:
``make example-programs GIT_DIR=/path/to/mxnet``.
"""
