"""Reports on the compilations of a block, their costs, and the time of each line.

The core and the compiler keep stages, programs, and a history. The modules of this folder convert these to data and
text on demand, and do not affect results. Backends base decisions on the estimates of ``costs``.
"""
