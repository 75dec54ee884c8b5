"""``python -m d2lhybrid.tools.stubs``."""

from .modules import main

main()
