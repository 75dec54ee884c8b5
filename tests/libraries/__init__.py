"""The unit tests of libraries that were written for MXNet, run against this package.

They are fetched from a clone of a library into a temporary folder, run there, and never kept:
``make library-tests GIT_DIR=/path/to/gluon-cv``.
"""
