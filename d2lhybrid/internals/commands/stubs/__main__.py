"""The program ``python -m d2lhybrid.internals.commands.stubs``."""

from .modules import main

main()
