"""Ends with status 2 and one sentence if no GPU can be used: ``python needs_a_gpu.py WHAT_NEEDS_IT``."""

from __future__ import annotations

import sys

from d2lhybrid.context import Context
from d2lhybrid.device import backend
from d2lhybrid.errors import MXNetError

if __name__ == "__main__":
    try:
        backend.array_module(Context("gpu"))
    except MXNetError as error:
        reason = "; ".join([str(error), *getattr(error, "__notes__", [])])
        print(f"{sys.argv[1]} needs a GPU: {reason}", file=sys.stderr)
        sys.exit(2)
