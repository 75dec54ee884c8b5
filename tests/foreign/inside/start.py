"""Start the process of a foreign program: ``python start.py REQUEST``.

The request is a JSON file. ``kind`` names the module of this folder whose ``main`` gets the request, and ``package`` is
the folder of this package, or empty for real MXNet.
"""

from __future__ import annotations

import importlib
import json
import os
import sys


def main() -> None:
    """Do what the request says."""
    with open(sys.argv[1], encoding="utf-8") as stream:
        request = json.load(stream)
    # The program must not find the modules of this folder: it may have modules of the same names.
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    kind = importlib.import_module("inside." + request["kind"])
    side = importlib.import_module("inside.side")
    del sys.path[0]
    side.begin(request["package"])
    kind.main(request)


if __name__ == "__main__":
    main()
