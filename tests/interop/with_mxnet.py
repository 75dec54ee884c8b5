"""Run inside an environment with real MXNet 1.9.1: check what d2lhybrid exported, or export nets.

    python with_mxnet.py check FOLDER     import each net in FOLDER, run it, compare its outputs
    python with_mxnet.py export FOLDER    export the nets of nets.py into FOLDER

FOLDER holds ``manifest.json`` and for each net NAME-symbol.json, NAME-0000.params and its inputs
and outputs. `check` prints a table, leaves it in ``report.json``, and exits with status 1 if
anything differs.
"""

from __future__ import annotations

import json
import os
import sys
import warnings

import mxnet as mx  # pyright: ignore[reportMissingImports]
import nets
import numpy


def check_net(entry: dict, folder: str) -> dict:
    """Return one row of the table."""
    row = {"name": entry["name"], "error": "", "difference": None, "json": "", "params": ""}
    try:
        outputs, expected = nets.load(mx, entry, folder)
        assert len(outputs) == len(expected), f"{len(outputs)} outputs instead of {len(expected)}"
        differences = []
        for i, output in enumerate(outputs):
            assert output.shape == expected[i].shape, f"shape {output.shape} instead of {expected[i].shape}"
            assert output.dtype == expected[i].dtype, f"dtype {output.dtype} instead of {expected[i].dtype}"
            differences.append(float(numpy.abs(output - expected[i]).max()))
            numpy.testing.assert_allclose(output, expected[i], rtol=1e-4, atol=1e-5)
        row["difference"] = max(differences)
    except Exception as error:
        # The last line says what; before it, MXNet's messages have C++ files and lines.
        row["error"] = f"{type(error).__name__}: {str(error).strip()}"
    row["json"] = _same(lambda: _json_again(entry["name"], folder))
    row["params"] = _same(lambda: _params_again(entry["name"], folder))
    return row


def _same(compare) -> str:
    try:
        return "same" if compare() else "differs"
    except Exception as error:
        return str(error).strip().splitlines()[-1]


def _json_again(name: str, folder: str) -> bool:
    """Whether MXNet writes the same graph file after reading it."""
    with nets.semantics(mx, name), open(os.path.join(folder, name + "-symbol.json"), newline="") as file:
        text = file.read()
        return mx.sym.load_json(text).tojson() == text


def _params_again(name: str, folder: str) -> bool:
    """Whether MXNet writes the same parameter file after reading it."""
    path, again = os.path.join(folder, name + "-0000.params"), os.path.join(folder, "again.params")
    with nets.semantics(mx, name):
        mx.nd.save(again, mx.nd.load(path))
    with open(path, "rb") as file, open(again, "rb") as file_again:
        return file.read() == file_again.read()


def check(folder: str) -> int:
    """Check all nets of a folder; the exit status."""
    with open(os.path.join(folder, "manifest.json")) as file:
        rows = [check_net(entry, folder) for entry in json.load(file)]
    with open(os.path.join(folder, "report.json"), "w") as file:
        json.dump(rows, file, indent=1)
    print("{:<12}{:<12}{:<12}{:<12}{}".format("net", "difference", "json", "params", "error"))
    for row in rows:
        difference = "" if row["difference"] is None else "{:.1e}".format(row["difference"])
        error = (row["error"].splitlines() or [""])[-1]
        print(f"{row['name']:<12}{difference:<12}{row['json']:<12}{row['params']:<12}{error}")
    return int(any(row["error"] or row["json"] != "same" or row["params"] != "same" for row in rows))


def export(folder: str) -> int:
    """Export all nets."""
    for name in nets.NETS:
        nets.export(mx, name, folder)
    return 0


if __name__ == "__main__":
    warnings.filterwarnings("ignore", "Cannot decide type", UserWarning)
    commands = {"check": check, "export": export}
    if len(sys.argv) != 3 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    sys.exit(commands[sys.argv[1]](sys.argv[2]))
