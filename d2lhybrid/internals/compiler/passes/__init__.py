"""The passes: each takes a graph and returns a graph, with one idea per file.

A pass that is added here, and to :mod:`d2lhybrid.internals.compiler.registration`, appears in the pipeline of every
net, in the tests (every pass must keep the results of the reference interpreter), and in the pictures of the
compilation.
"""
