"""Reports on the compilations of a block, their costs, and the time of each line.

The core and the compiler keep stages, programs, and a history. On demand, the modules of this folder convert this
state to data and text, and do not affect results. Backends base decisions on the estimates of ``costs``.
"""
