"""The passes, which are functions from a graph to a graph, with one idea per file.

A pass that is added to this folder and to :mod:`d2lhybrid.internals.compiler.registration` appears in the pipeline of
every net, in the tests (every pass must keep the results of the reference interpreter), and in the pictures of the
compilation.
"""
