"""Run the model definitions of GluonCV, GluonNLP or gluoncv2, and print which give the same here and with real MXNet.

python -m tests.models GIT_DIR                     # all of them, and the table of docs/model_definitions.md
python -m tests.models GIT_DIR resnet ssd_300      # those whose names begin so
python -m tests.models GIT_DIR --backward ...      # this package writes the file that MXNet reads

What came of a model is kept: the same command once more goes on where it was broken off.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from .libraries import extract
from .page import write_page
from .run import Workshop, state

_BUILD = Path(__file__).resolve().parents[2] / "build" / "model_definitions"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.models", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("git_directory", type=Path, help="a clone of dmlc/gluon-cv, dmlc/gluon-nlp or osmr/imgclsmob")
    parser.add_argument("names", nargs="*", help="how the names of models begin; one of each kind if none is named")
    parser.add_argument("--real", type=Path, metavar="PYTHON", help="an interpreter with real MXNet")
    parser.add_argument("--seconds", type=int, default=300, help="after how long a process is stopped (default: 300)")
    parser.add_argument("--backward", action="store_true", help="write files here, and read them with real MXNet")
    parser.add_argument("--exact", action="store_true", help="take names as whole names")
    parser.add_argument("--log", action="store_true", help="print what a process wrote that failed")
    parser.add_argument("--page", action="store_true", help="run nothing, and write what is known to the page")
    parser.add_argument("--results", type=Path, help="a file of JSON lines, instead of that in build/model_definitions")
    parser.add_argument("--fresh", action="store_true", help="run what is in it once more")
    return parser.parse_intermixed_args()


def _known(path: Path) -> list[dict[str, Any]]:
    """Return the results in a file. A line may have been broken off."""
    found = []
    for line in path.read_text("utf-8").splitlines() if path.exists() else []:
        with contextlib.suppress(json.JSONDecodeError):
            found.append(json.loads(line))
    return found


def _write(path: Path, result: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = path.exists() and path.read_bytes()[-1:] not in (b"", b"\n")
    with path.open("a", encoding="utf-8") as stream:
        stream.write("\n" * whole + json.dumps(result) + "\n")


def main() -> int:
    """Run what is asked for, and return the status."""
    asked = _arguments()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        place, source = Path(name) / "place", Path(name) / "source"
        place.mkdir()
        library = extract(asked.git_directory, source)
        real = asked.real.absolute() if asked.real else None
        # Without real MXNet, less is known of a model, and as soon as anything here changes, it is another result.
        now, kept = state() + ("" if real else " alone"), asked.results or _BUILD / f"{library.title}.jsonl"
        results = [each for each in _known(kept) if asked.page or (each.get("state") == now and not asked.fresh)]
        done = {(result["model"], result["backward"]): result for result in results}
        workshop = Workshop(library, source, place, Path(sys.executable), real, asked.seconds)
        listed = workshop.ask(False, {"role": "names"})
        if "names" not in listed:
            raise SystemExit((place / "log").read_text()[-3000:] + str(listed))
        for model, module, *like in listed["names"]:
            begins = [name == model if asked.exact else model.startswith(name) for name in asked.names]
            if asked.page or not (any(begins) if asked.names else like in ([], [model])):
                continue
            answer, began = done.get((model, asked.backward)), time.monotonic()
            if answer is None:
                answer = workshop.compare(model, asked.backward)
                result = {"model": model, "module": module, "backward": asked.backward, "state": now, **answer}
                results.append(result)
                _write(kept, result)
                spent = f"{time.monotonic() - began:5.1f} s"
            else:
                spent = "earlier"
            print(f"{answer['status']:12} {spent:7}  {model}  {answer['message']}", flush=True)
            if asked.log and answer["status"] not in ("runs", "equal") and spent != "earlier":
                print((place / "log").read_text()[-4000:])
    unexplained = [result["model"] for result in results if not library.explains(result)]
    if real is not None and not asked.names:
        write_page(library, listed["names"], results)
    if unexplained:
        print("Without a reason:", *unexplained)
    return bool(unexplained)


def _stop(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _stop)  # the process of a model ends, too, and nothing stays
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
    sys.exit(130)
