"""The product's habits for programs that run with real MXNet, too: whose Python need not have this package."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

_ROOM = Path(__file__).resolve().parents[3] / "d2lhybrid" / "internals" / "commands" / "running" / "habits"


def give_back() -> None:
    """Give this process what Python and its libraries have dropped since 2019."""
    name = "d2lhybrid.internals.commands.running.habits"
    if "d2lhybrid" not in sys.modules:
        name = "habits_of_d2lhybrid"
        found = importlib.util.spec_from_file_location(
            name, _ROOM / "__init__.py", submodule_search_locations=[str(_ROOM)]
        )
        assert found is not None and found.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(found)
        found.loader.exec_module(sys.modules[name])
    importlib.import_module(name).give_back()
