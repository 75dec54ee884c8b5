"""Programs and notebooks that were written for MXNet, run as they are: ``d2lhybrid run train.py``.

``habits`` gives back what Python and its libraries have dropped since; ``program`` and ``notebook`` run,
``python2`` and ``report`` say what a reader has to know afterwards, and ``command`` is the command line.
"""
