"""A fuzzer: random nets must do the same when they are hybridized.

``program`` says what a net is, and is its text; ``builder``, ``recipes``, ``layers`` and ``samples`` make statements;
``generator`` makes a net from a number, and ``steps`` what is done with it; ``modes`` are the ways to run it; ``noise``
and ``compare`` tell rounding from wrong numbers; ``running`` does it, ``shrink`` makes a finding small, and
``prelude`` is what every printed program begins with.

    make fuzz FUZZ="--seconds 600 --seed 1000 --modes hybrid,static"
"""
