"""The command ``d2lhybrid run``, which runs unchanged programs and notebooks written for MXNet.

``habits`` restores names that Python and libraries have removed, ``program`` and ``notebook`` run the files,
``python2`` explains errors, ``report`` lists restored names, and ``command`` is the command line.
"""
