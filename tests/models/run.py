"""One model is made in a process of its own, for as long as it may."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from .libraries import Library

_REPOSITORY = Path(__file__).resolve().parents[2]
_WORKER = Path(__file__).with_name("worker.py")

Answer = dict[str, Any]
#: What is tried with a model that differs.
_AGAIN = {
    "in double precision": {"double": True},
    "with smaller weights": {"scale": 0.8},
    "without oneDNN in MXNet": {"plain": True},
    "with smaller weights, without oneDNN in MXNet": {"scale": 0.8, "plain": True},
}
_PLAIN = {"MXNET_MKLDNN_ENABLED": "0"}
_GOOD = ("runs", "equal")


class Workshop(NamedTuple):
    """Where models are made.

    Attributes
    ----------
    library : Library
        Whose they are.
    source : Path
        Where it was extracted to.
    folder : Path
        A folder for files.
    python : Path
        The interpreter for this package.
    real : Path or None
        The one that has real MXNet.
    seconds : int
        After how long a process is stopped.
    """

    library: Library
    source: Path
    folder: Path
    python: Path
    real: Path | None
    seconds: int

    def ask(self, real: bool, request: Answer, **variables: str) -> Answer:
        """Have a process answer.

        Parameters
        ----------
        real : bool
            Whether one with real MXNet is asked.
        request : dict
            What is asked.
        **variables : str
            Further variables of its environment.

        Returns
        -------
        dict
            What it answers, with ``status`` and ``message``.
        """
        question, answer, log = (self.folder / name for name in ("request.json", "answer.json", "log"))
        answer.unlink(missing_ok=True)
        whole = {
            "recipe": self.library.recipe, "paths": [str(self.source / path) for path in self.library.paths],
            "stand_ins": self.library.stand_ins, "files": str(self.folder / "model"), "double": False,
            "package": "" if real else str(_REPOSITORY), "answer": str(answer),
        }  # fmt: skip
        question.write_text(json.dumps({**whole, **request}), "utf-8")
        environment = {
            **os.environ, "HOME": str(self.folder), "MPLBACKEND": "Agg", "PYTHONPATH": "",
            "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MXNET_STORAGE_FALLBACK_LOG_VERBOSE": "0",
            # Nothing is fetched: a model that would fetch something fails.
            **dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9"),
            **variables,
        }  # fmt: skip
        python = self.real if real else self.python
        with log.open("w") as stream:
            try:
                status = subprocess.run(
                    [str(python), "-W", "ignore", str(_WORKER), str(question)], cwd=self.folder, env=environment,
                    stdin=subprocess.DEVNULL, stdout=stream, stderr=stream, timeout=self.seconds, check=False,
                ).returncode  # fmt: skip
            except subprocess.TimeoutExpired:
                return {"status": "stopped", "message": f"longer than {self.seconds} s"}
        if answer.exists():
            return json.loads(answer.read_text("utf-8"))
        last = log.read_text("utf-8", "replace").strip().rsplit("\n", 1)[-1][-200:]
        return {"status": "ended", "message": f"with status {status}: {last}"}

    def compare(self, name: str, backward: bool) -> Answer:
        """Make a model with real MXNet and here, or the other way round.

        Parameters
        ----------
        name : str
            The model's name.
        backward : bool
            Whether this package writes what MXNet reads, and not the other way round.

        Returns
        -------
        dict
            The last answer, with ``who``: ``"here"`` or ``"MXNet"``.
        """
        answer = self._again(name, backward)
        if answer["status"] == "equal" and not answer.get("same_file", True):  # can MXNet read it all the same?
            answer["back"] = self._again(name, True)["status"]
        return answer

    def _again(self, name: str, backward: bool) -> Answer:
        answer = self._compare(name, backward)
        if answer["status"] == "differs":  # by rounding, perhaps, that a net of made-up numbers makes large
            if answer["who"] == "MXNet":
                again = self._compare(name, backward, hybridize=False)
                if again["status"] in _GOOD:
                    return {**again, "message": f"eagerly: hybridized, MXNet differs from itself; {answer['message']}"}
            again = answer
            for how, change in _AGAIN.items():
                again = self._compare(name, backward, **change)
                if again["status"] in _GOOD:
                    return {**again, "message": f"{how}; otherwise {answer['message']}"}
            if self.real is not None and not backward:  # how far is MXNet, with oneDNN, from what it has just written?
                again["itself"] = self.ask(True, {"name": name, "role": "second"})["message"]
                return again
        return answer

    def _compare(self, name: str, backward: bool, plain: bool = False, **change: Any) -> Answer:
        sides = [False] if self.real is None else [False, True] if backward else [True, False]
        answer: Answer = {}
        for real, role in zip(sides, ("first", "second"), strict=False):
            request = {"name": name, "role": role, **change}
            answer = self.ask(real, request, **(_PLAIN if real and plain else {}))
            if real and not plain and answer["status"] not in _GOOD:  # not with oneDNN, perhaps, but without it
                again = self.ask(real, request, **_PLAIN)
                answer = again if again["status"] in _GOOD else answer
            if real and answer["status"] == "not hybridized" and change.get("hybridize", True):
                answer = self._compare(name, backward, plain, **change, hybridize=False)
                return {**answer, "message": f"eagerly: MXNet cannot hybridize it; {answer['message']}"}
            answer["who"] = "MXNet" if real else "here"
            if answer["status"] not in _GOOD:
                break
        return answer


def state() -> str:
    """Return what the results hang on: a digest of this package and of what makes and compares the models."""
    digest = hashlib.sha256()
    for path in sorted([*_REPOSITORY.glob("d2lhybrid/**/*.py"), *Path(__file__).parent.glob("*.py")]):
        digest.update(path.relative_to(_REPOSITORY).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]
