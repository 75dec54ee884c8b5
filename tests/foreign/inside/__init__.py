"""What runs in the process of a foreign program, with this package or with real MXNet under the name ``mxnet``.

The interpreter is any that can run MXNet, so the modules work with Python 3.8. They import nothing of the other
folders, and this package only as ``d2lhybrid``. The process knows them as ``inside``, whatever it calls ``tests``.
"""
