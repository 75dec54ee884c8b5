"""Tests that failed beside others, once more and alone: ``python -m tests.again``, which ``.ci/run`` calls.

Some tests wait for a browser, a kernel or another process, and two of them run at the same time on machines that nobody
knows. One that fails there and passes alone says something about that machine, or that two tests disturb each other: it
is named, to be looked into, and the run goes on. More than a few are no accident.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

#: More than these are not tried again.
MOST = 3
#: What xdist adds to the name of a test that belongs to a group.
_GROUP = re.compile(r"@[\w.-]+$")


def main(folder: Path) -> int:
    """Try again what failed in the latest run in a folder, and return the status."""
    record = folder / ".pytest_cache" / "v" / "cache" / "lastfailed"
    known = json.loads(record.read_text("utf-8")) if record.exists() else []
    failed = sorted({_GROUP.sub("", name) for name in known})
    if not 0 < len(failed) <= MOST:
        print(
            f"{len(failed)} tests failed: {'too many to be an accident' if failed else 'there is nothing to repeat'}."
        )
        return 1
    print(f"== once more, alone: {', '.join(failed)}", flush=True)
    status = subprocess.call([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *failed], cwd=folder)
    if not status:
        print(f"Failed beside other tests, and passed alone: {', '.join(failed)}")
    return status


if __name__ == "__main__":
    sys.exit(main(Path.cwd()))
