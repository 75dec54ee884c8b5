"""The table of hostile files: how many were tried, read, refused; what else happened; the slowest, the largest."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from .readers import KINDS

ROOT = Path(__file__).resolve().parent.parent.parent


def try_files(kind: str, first: int, last: int) -> list[dict[str, Any]]:
    """Read hostile files in a process of their own, and return a dictionary for each; a death is an outcome, too."""
    results: list[dict[str, Any]] = []
    while first < last:
        command = [sys.executable, "-W", "ignore", "-m", "tests.hostile.worker", kind, str(first), str(last)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        results += [line for line in lines if "outcome" in line]
        if done.returncode == 0:
            break
        if not lines:
            raise RuntimeError(done.stderr[-2000:])
        died = lines[-1]["number"]
        message = f"the process died with status {done.returncode}: {done.stderr[-300:]}"
        results.append({"number": died, "outcome": "wrong", "message": message, "seconds": 0.0, "peak": 0, "size": 0})
        first = died + 1
    return results


def main(arguments: list[str] | None = None) -> int:
    """Print the table; return 1 if anything but reading and refusing happened."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("-n", type=int, default=1000, help="how many files of each kind (1000)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--kind", choices=KINDS, action="append", help="only this kind of file")
    options = parser.parse_args(arguments)
    print(f"{'':16}{'tried':>8}{'read':>8}{'refused':>9}{'wrong':>7}{'slowest':>10}{'memory':>10}", flush=True)
    wrong = 0
    for kind in options.kind or KINDS:
        results = try_files(kind, options.first, options.first + options.n)
        counts = {what: sum(r["outcome"] == what for r in results) for what in ("read", "refused", "wrong")}
        slowest, peak = max(r["seconds"] for r in results), max(r["peak"] for r in results)
        print(
            f"{kind:16}{len(results):8}{counts['read']:8}{counts['refused']:9}{counts['wrong']:7}{slowest:8.2f} s"
            f"{peak // 1024:6} MiB",
            flush=True,
        )
        for result in results:
            if result["outcome"] == "wrong":
                print(f"  {kind} {result['number']}: {result['message']}")
        wrong += counts["wrong"]
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
