"""A judge of whole training programs: random ones run here and on real MXNet, and are compared after every step.

``plan`` says what a program is, and is its text; ``nets``, ``losses``, ``optimizers`` and ``steps`` are what plans are
made of, and ``generator`` makes one from a number. ``worker`` runs programs in a process of its own, here and in MXNet,
and ``sides`` asks it. ``verdict`` tells rounding from wrong numbers, ``known`` recognises the documented differences,
``judging`` puts this together, and ``shrink`` makes a finding small enough to paste.

    make judge JUDGE="--seconds 600 --seed 1000 --workers 2"
"""
