"""Reports on the compilations of a block, their costs, and the time of each line.

The core and the compiler keep stages, programs, and a history. The modules of this folder turn these into data and text
on demand, and no result depends on them. Backends use the estimates of ``costs`` for their decisions.
"""
