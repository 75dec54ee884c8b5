"""``python -m d2lhybrid`` is the command ``d2lhybrid``."""

import sys

from .internals.commands.cli import main

if __name__ == "__main__":
    sys.exit(main())
