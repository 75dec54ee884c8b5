"""``python -m d2lhybrid`` is the command ``d2lhybrid``."""

import sys

from .tools.cli import main

if __name__ == "__main__":
    sys.exit(main())
