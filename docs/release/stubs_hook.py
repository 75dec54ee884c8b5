"""What hatchling runs as it builds a wheel or an editable install: the stubs are written, and come along.

The functions of ``nd``, ``sym``, ``np`` and ``npx`` are made at run time; editors know them from the stubs.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class StubsHook(BuildHookInterface):
    """Writes the stubs beside their modules, in the folder that is built from."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the stubs, and have a wheel hold them although git ignores them."""
        if importlib.util.find_spec("numpy") is None:
            # Built without isolation, where NumPy is not installed yet: `make` writes them afterwards.
            self.app.display_warning("No names for editors yet: NumPy, which writes the stubs, is not here.")
            return
        variables = {key: value for key, value in os.environ.items() if key != "D2LHYBRID_UNPLUGGED"}
        done = subprocess.run(
            [sys.executable, "-m", "d2lhybrid.internals.commands.stubs"], cwd=self.root, check=False,
            env={**variables, "PYTHONPATH": self.root, "PYTHONDONTWRITEBYTECODE": "1"}, capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode:
            self.app.display_warning(f"The stubs for editors could not be written: {done.stderr.strip()[-500:]}")
        build_data["artifacts"].append("/d2lhybrid/**/*.pyi")
