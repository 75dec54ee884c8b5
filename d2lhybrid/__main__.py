"""The command ``python -m d2lhybrid``, which is the same as ``d2lhybrid``."""

import sys

from .internals.commands.cli import main

if __name__ == "__main__":
    sys.exit(main())
