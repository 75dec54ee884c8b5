"""A benchmark of single eager operators and real MXNet's, with one thread each, printed with the slowest first.

Each round times every operator in both libraries in turn. The program prints medians in microseconds, forward, and
forward with the gradient of the first input.

    python benchmarks/eager_operators.py [beginning of a name ...] [--rounds 3]
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys

from _workers import HERE

ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}


def start(python: str, package: str) -> tuple[subprocess.Popen[str], list[str]]:
    """Return a process that times operators, and the names of the operators."""
    process = subprocess.Popen(
        [python, "-W", "ignore", str(HERE / "_operator_worker.py"), package], text=True, stderr=subprocess.DEVNULL,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        env={**os.environ, **ONE_THREAD, "PYTHONPATH": str(HERE.parent)},
    )  # fmt: skip
    assert process.stdout is not None
    answer = process.stdout.readline().rstrip("\n").split("|")
    if answer[0] != "ready":
        raise SystemExit(f"{python} cannot import {package}.")
    return process, answer[1:]


def ask(process: subprocess.Popen[str], name: str, which: str) -> float | None:
    """Return microseconds, or None if the library does not support the operator."""
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(f"{name}|{which}\n")
    process.stdin.flush()
    answer = process.stdout.readline().split(maxsplit=1)
    return None if not answer or answer[0] == "failed" else float(answer[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="the beginnings of operators' names; by default, all operators")
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    real = os.environ.get("D2LHYBRID_MXNET_PYTHON") or str(HERE.parent / ".venv-mxnet" / "bin" / "python")
    if not os.path.exists(real):
        raise SystemExit(
            "Real MXNet isn't installed. Run `make mxnet`, or set D2LHYBRID_MXNET_PYTHON to the path of its Python."
        )
    ours, names = start(sys.executable, "d2lhybrid")
    theirs, _ = start(real, "mxnet")
    names = [name for name in names if not chosen.names or name.lower().startswith(tuple(map(str.lower, chosen.names)))]
    print(f"load before: {os.getloadavg()[0]:.1f}; medians of {chosen.rounds} rounds, one thread, microseconds\n")
    times: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for _ in range(chosen.rounds):
        for name in names:
            for which in ("forward", "backward"):
                pair = ask(ours, name, which), ask(theirs, name, which)
                if pair[0] is not None and pair[1] is not None:
                    times.setdefault((name, which), []).append((pair[0], pair[1]))
    rows = []
    for (name, which), pairs in times.items():
        here, there = (statistics.median(values) for values in zip(*pairs, strict=True))
        rows.append((statistics.median(a / b for a, b in pairs), name, which, here, there))
    print(f"{'':30s} {'':9s} {'ours':>10s} {'MXNet':>10s} {'ours / MXNet':>13s}")
    for ratio, name, which, here, there in sorted(rows, reverse=True):
        print(f"{name:30s} {which:9s} {here:10,.0f} {there:10,.0f} {ratio:13.2f}")
    print(f"\nmedian of the ratios: {statistics.median(row[0] for row in rows):.2f}")
    for process in (ours, theirs):
        process.kill()
        process.wait()


if __name__ == "__main__":
    main()
