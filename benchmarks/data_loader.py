"""A benchmark of ``DataLoader``: images per second, with and without workers, appended to RESULTS.md.

The images have the size of Fashion-MNIST's. Each contender runs in a separate process, and the rounds go through all
processes in turn; the results are medians. The program finds peers like ``compare.py``.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

from compare import HERE

WORKERS = (0, 1, 2, 4)
ROUNDS = 3
HOW = {"library": "the library's transforms", "own": "a user's function that transforms one image"}


def find_loaders() -> dict[str, subprocess.Popen[str]]:
    """Return contender -> process that loads its images."""
    pythons = {
        "d2lhybrid": sys.executable,
        "mxnet": os.environ.get("D2LHYBRID_MXNET_PYTHON") or str(HERE.parent / ".venv-mxnet" / "bin" / "python"),
        "torch": os.environ.get("D2LHYBRID_TORCH_PYTHON", ""),
    }
    found = {}
    for package, python in pythons.items():
        if not python or not os.path.exists(python):
            continue
        process = subprocess.Popen(
            [python, str(HERE / "_loader_worker.py"), package], text=True, stderr=subprocess.DEVNULL,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(HERE.parent)},
        )  # fmt: skip
        assert process.stdout is not None
        answer = process.stdout.readline().split()
        if answer[:1] == ["ready"]:
            found[f"{package} {answer[1]}"] = process
    return found


def ask(process: subprocess.Popen[str], workers: int, how: str) -> float:
    """Return the images per second in one epoch."""
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(f"{workers} {how}\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def main() -> None:
    loaders = find_loaders()
    lines = ["## DataLoader, images of 28 x 28 in batches of 256, thousands of images per second", ""]
    lines += [f"| transformed by | workers | {' | '.join(loaders)} |", "|---|--:|" + "--:|" * len(loaders)]
    for how, what in HOW.items():
        for workers in WORKERS:
            times: dict[str, list[float]] = {name: [] for name in loaders}
            for _ in range(ROUNDS):
                for name, process in loaders.items():
                    times[name].append(ask(process, workers, how))
            cells = [f"{statistics.median(values) / 1000:,.1f}" for values in times.values()]
            row = f"| {what} | {workers} | {' | '.join(cells)} |"
            print(row, flush=True)
            lines.append(row)
    for process in loaders.values():
        assert process.stdin is not None
        process.stdin.close()
        process.wait()
    with (HERE / "RESULTS.md").open("a") as results:
        results.write("\n".join([*lines, "", ""]))


if __name__ == "__main__":
    main()
