"""MXNet's own unit tests, run against this package.

They are fetched from a git directory of MXNet into a temporary folder, run there, and never kept:
``make peer-tests GIT_DIR=/path/to/mxnet/.git``.
"""
