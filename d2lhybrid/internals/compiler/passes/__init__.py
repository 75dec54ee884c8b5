"""The compiler's passes. A pass is a function from a graph to a graph, and each file contains one pass.

A new pass needs a file in this folder and a line in :mod:`d2lhybrid.internals.compiler.registration`. The pass is then
in the pipeline of every net, in the pictures of the compilation, and in the tests, which compare results with those of
the reference interpreter before and after the pass.
"""
