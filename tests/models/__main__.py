"""Run the model definitions of GluonCV or GluonNLP, and print which of them give the same here and with real MXNet.

python -m tests.models GIT_DIR                     # all of them, and the table of docs/model_definitions.md
python -m tests.models GIT_DIR resnet ssd_300      # those whose names begin so
python -m tests.models GIT_DIR --backward ...      # this package writes the file that MXNet reads
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import tempfile
import time
from pathlib import Path

from .libraries import extract
from .page import write_page
from .run import Workshop


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.models", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("git_directory", type=Path, help="a clone of dmlc/gluon-cv or dmlc/gluon-nlp with tag v0.10.0")
    parser.add_argument("names", nargs="*", help="how the names of models begin; all of them if none is named")
    parser.add_argument("--real", type=Path, metavar="PYTHON", help="an interpreter with real MXNet")
    parser.add_argument("--seconds", type=int, default=120, help="after how long a process is stopped (default: 120)")
    parser.add_argument("--backward", action="store_true", help="write files here, and read them with real MXNet")
    parser.add_argument("--exact", action="store_true", help="take names as whole names")
    parser.add_argument("--log", action="store_true", help="print what a process wrote that failed")
    parser.add_argument("--page", action="store_true", help="run nothing, and write what is in --results to the page")
    parser.add_argument("--results", type=Path, help="a file of JSON lines: what is in it is not run again")
    return parser.parse_intermixed_args()


def _known(path: Path | None) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path and path.exists() else []


def main() -> int:
    """Run what is asked for, and return the status."""
    asked = _arguments()
    results = _known(asked.results)
    done = {(result["model"], result["backward"]) for result in results}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        place, source = Path(name) / "place", Path(name) / "source"
        place.mkdir()
        library = extract(asked.git_directory, source)
        real = asked.real.absolute() if asked.real else None
        workshop = Workshop(library, source, place, Path(sys.executable), real, asked.seconds)
        listed = workshop.ask(False, {"role": "names"})
        if "names" not in listed:
            raise SystemExit((place / "log").read_text()[-3000:] + str(listed))
        for model, module in listed["names"]:
            begins = [name == model if asked.exact else model.startswith(name) for name in asked.names]
            if asked.page or (asked.names and not any(begins)) or (model, asked.backward) in done:
                continue
            began = time.monotonic()
            answer = workshop.compare(model, asked.backward)
            seconds = time.monotonic() - began
            print(f"{answer['status']:12} {seconds:5.1f} s  {model}  {answer['message']}", flush=True)
            if asked.log and answer["status"] not in ("runs", "equal"):
                print((place / "log").read_text()[-4000:])
            results.append({"model": model, "module": module, "backward": asked.backward, **answer})
            if asked.results:
                with asked.results.open("a") as stream:
                    stream.write(json.dumps(results[-1]) + "\n")
    unexplained = [result["model"] for result in results if not library.explains(result)]
    if real is not None and not asked.names:
        write_page(library, listed["names"], results)
    if unexplained:
        print("Without a reason:", *unexplained)
    return bool(unexplained)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
    sys.exit(130)
