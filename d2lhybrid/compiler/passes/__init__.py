"""The passes: each takes a graph and returns a graph, one idea a file.

A pass that is added here appears in :mod:`d2lhybrid.core.pipeline`, in the tests (every pass must
keep the results of the reference interpreter) and in the pictures of the compilation.
"""
