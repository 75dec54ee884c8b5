"""Ends with status 2 and one sentence if no GPU can be used: ``python needs_a_gpu.py WHAT_NEEDS_IT``."""

from __future__ import annotations

import sys

if __name__ == "__main__":
    try:
        import numpy  # noqa: F401  without it nothing of this package can be imported
    except ImportError as error:
        needed = "NumPy and CuPy; PYTHON=/path/to/python names another one"
        print(f"{sys.argv[1]}: {sys.executable} cannot import NumPy ({error}). It needs {needed}.", file=sys.stderr)
        sys.exit(2)
    from d2lhybrid.context import Context
    from d2lhybrid.error import MXNetError
    from d2lhybrid.internals.device import array_modules

    try:
        array_modules.array_module(Context("gpu"))
    except MXNetError as error:
        reason = "; ".join([str(error), *getattr(error, "__notes__", [])])
        print(f"{sys.argv[1]} needs a GPU: {reason}", file=sys.stderr)
        sys.exit(2)
