"""Model definitions of libraries: each gives the same outputs here and with real MXNet, with the same parameters.

The page is ``docs/model_definitions.md``, with a table for each library and a line for each model.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from . import process
from .page import page, with_section
from .process import REPOSITORY
from .runner import Description, Kept, Report, state

__all__ = ["DESCRIPTION", "LIBRARIES", "Library"]

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


class Library(NamedTuple):
    """A library of models.

    Attributes
    ----------
    title : str
        Its name.
    version : str
        Which of its versions.
    commit : str
        What that is called in its repository.
    mark : str
        A folder by which a clone of it is known.
    folders : tuple of str
        What is taken out of its repository.
    paths : tuple of str
        What of that is put on Python's path.
    recipe : str
        The module here that makes its models.
    stand_ins : dict of str to list of str
        Compiled modules, which would have to be built, and the names that are imported from them.
    reasons : dict of str to str
        How messages of failures begin, and what that means.
    """

    title: str
    version: str
    commit: str
    mark: str
    folders: tuple[str, ...]
    paths: tuple[str, ...]
    recipe: str
    stand_ins: dict[str, list[str]]
    reasons: dict[str, str]

    def explains(self, result: dict[str, Any]) -> str:
        """Return what is to be said of a result, nothing if nobody knows a reason."""
        if result["status"] in ("runs", "equal"):
            return "equal"
        if result["model"].endswith("_int8"):  # whose inputs MXNet is particular about
            return "oneDNN's fused layers; see [Int8](compatibility.md#int8)"
        if _worst(result["message"]) <= _worst(result.get("itself", "")) < 0.01:
            words = "rounding: differs by {} of the largest number; MXNet with oneDNN and without it differ by {}"
            return words.format(_worst(result["message"]), _worst(result["itself"]))
        who = "fails in MXNet 1.9.1, too: " if result["who"] == "MXNet" else ""
        for pattern, reason in self.reasons.items():
            if re.match(pattern, f"{result['status']}: {result['message']}"):
                return who + reason
        return who + result["message"] if who else ""


def _worst(message: str) -> float:
    """Return by what part of the largest number two outputs differ, as a message says it."""
    found = re.search(r"^output \d+ .* differs by (\S+) of the largest", message)
    return float(found[1]) if found else float("inf")


LIBRARIES = [
    Library(
        "GluonCV", "0.10.0", "v0.10.0", "gluoncv", ("gluoncv",), ("",), "gluon_cv", {},
        {
            r"not made: DeferredInitializationError": "copies numbers from downloaded weights",
        },
    ),
    Library(
        "GluonNLP", "0.10.0", "v0.10.0", "src/gluonnlp", ("src/gluonnlp", "scripts"), ("src", ""), "gluon_nlp",
        {
            "gluonnlp.data.fast_bert_tokenizer": [
                "is_control", "is_punctuation", "is_whitespace", "BasicTokenizer", "WordpieceTokenizer",
            ]
        },
        {},
    ),
    Library("gluoncv2", "0.0.64", "c1a844dd", "gluon/gluoncv2", ("gluon/gluoncv2",), ("gluon",), "large_zoo", {}, {}),
]  # fmt: skip


class Models(Description):
    """The models of one library."""

    summary = "Run the model definitions of GluonCV, GluonNLP or gluoncv2, here and with real MXNet, and compare them."
    clones = "a clone of dmlc/gluon-cv, dmlc/gluon-nlp or osmr/imgclsmob"
    names = "how the names of models begin; one of each kind if none is named"
    limits = {"--seconds": (300, "after how long a process is stopped")}  # noqa: RUF012 - a constant
    real = ("--real", "an interpreter with real MXNet")
    options = {  # noqa: RUF012 - a constant
        "--backward": {"action": "store_true", "help": "write files here, and read them with real MXNet"},
        "--exact": {"action": "store_true", "help": "take names as whole names"},
        "--log": {"action": "store_true", "help": "print what a process wrote that failed"},
        "--page": {"action": "store_true", "help": "run nothing, and write what is known to the page"},
        "--results": {"type": Path, "help": "a file of JSON lines, instead of that in build/model_definitions"},
        "--fresh": {"action": "store_true", "help": "run what is in it once more"},
    }

    def items(self) -> Iterator[str]:
        asked = self.asked
        self.library = self.clone.held(LIBRARIES)[0]
        self.place, self.source = self.folder / "place", self.folder / "source"
        self.place.mkdir()
        paths = self.clone.files(self.library.commit, *self.library.folders)
        wanted = [path for path in paths if path.endswith((".py", ".json", ".csv", ".txt"))]
        self.clone.unpack(self.library.commit, wanted, self.source)
        # Without real MXNet, less is known of a model.
        self._state = state() + ("" if self.with_mxnet else " alone")
        path = asked.results or REPOSITORY / "build" / "model_definitions" / f"{self.library.title}.jsonl"
        self._kept = Kept(path, None if asked.page else self._state)
        if asked.fresh and not asked.page:
            self._kept.results.clear()
        listed = self.ask(False, {"role": "names"})
        if "names" not in listed:
            raise SystemExit((self.place / "log").read_text()[-3000:] + str(listed))
        self._names: list[list[str]] = listed["names"]
        self._modules = {model: module for model, module, *_ in self._names}
        for model, _, *like in self._names:
            begins = [name == model if asked.exact else model.startswith(name) for name in asked.names]
            if not asked.page and (any(begins) if asked.names else like in ([], [model])):
                yield model

    def run(self, name: str) -> Report:
        key = name, self.asked.backward
        earlier = [each for each in self._kept.results if (each["model"], each["backward"]) == key]
        if earlier:
            return Report(earlier[-1]["status"], earlier[-1]["message"], earlier=True)
        answer = self.compare(*key)
        facts = {"model": name, "module": self._modules[name], "backward": self.asked.backward, "state": self._state}
        self._kept.add({**facts, **answer})
        failed = self.asked.log and answer["status"] not in _GOOD
        log = (self.place / "log").read_text("utf-8", "replace")[-4000:] if failed else ""
        return Report(answer["status"], answer["message"], log=log)

    def finish(self) -> list[str]:
        results = self._kept.results
        if self.with_mxnet and not self.asked.names:
            path = page("model_definitions.md")
            text = section(self.library, self._names, results)
            path.write_text(with_section(path.read_text("utf-8"), self.library.title, text), "utf-8")
        return [result["model"] for result in results if not self.library.explains(result)]

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
        answer = self.place / "answer.json"
        answer.unlink(missing_ok=True)
        whole = {
            "recipe": self.library.recipe, "paths": [str(self.source / path) for path in self.library.paths],
            "stand_ins": self.library.stand_ins, "files": str(self.place / "model"), "double": False,
            "answer": str(answer), **request,
        }  # fmt: skip
        status, log = process.start(
            "model", whole, self.place, self.place, process.environment(self.place, **variables), self.asked.seconds,
            self.python if real else Path(sys.executable), real,
        )  # fmt: skip
        if status is None:
            return {"status": "stopped", "message": f"longer than {self.asked.seconds} s"}
        if answer.exists():
            return json.loads(answer.read_text("utf-8"))
        return {"status": "ended", "message": f"with status {status}: {process.last_line(log)}"}

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
            if self.with_mxnet and not backward:  # how far is MXNet, with oneDNN, from what it has just written?
                again["itself"] = self.ask(True, {"name": name, "role": "second"})["message"]
                return again
        return answer

    def _compare(self, name: str, backward: bool, plain: bool = False, **change: Any) -> Answer:
        sides = [False] if not self.with_mxnet else [False, True] if backward else [True, False]
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


def section(library: Library, names: list[list[str]], results: list[dict[str, Any]]) -> str:
    """Return the section of the page about a library.

    Parameters
    ----------
    library : Library
        Which.
    names : list of list of str
        Its models, each with the module that defines it, and perhaps the one that it is like.
    results : list of dict
        What came of them.
    """
    of = {result["model"]: result for result in results if not result["backward"]}
    forward = [of[name] for name, *_ in names if name in of]
    said = {result["model"]: library.explains(result) or "**differs**" for result in forward}
    equal = sum(word == "equal" for word in said.values())
    back = {result["model"]: _file(result) for result in forward if said[result["model"]] == "equal"}
    back |= {result["model"]: library.explains(result) or "**differs**" for result in results if result["backward"]}
    good = sum(word in ("equal", "same") for word in back.values())
    same = sum(word == "same" for word in back.values())
    with_mxnet = sum(result["who"] == "here" or said[result["model"]] == "equal" for result in forward)
    lines = [
        f"{library.title} {library.version} has {len(names)} models; {len(forward)} were tested. MXNet 1.9.1 runs "
        f"{with_mxnet} of these, and {equal} give the same results here. MXNet loads {good} of "
        f"{sum(map(bool, back.values()))} files that were written here, with the same results; {same} of these files "
        "are identical to MXNet's, byte for byte.",
        "",
        "| model | defined in | inputs | parameters | result | file written here |",
        "| --- | --- | --- | --: | --- | --- |",
    ]
    like: dict[str, list[str]] = {}
    for name, _, *other in names:
        like.setdefault(other[0] if other else name, []).append(name)
    for name, module, *other in names:
        if name in of:
            lines.append(_line(of[name], said[name], back.get(name, "")))
        elif not other:
            lines.append(f"| `{name}` | {module} | | | **not tested** | |")
    more = {first: [name for name in same if name not in of] for first, same in like.items() if first in of}
    if any(more.values()):
        lines += ["", "The other models differ from one of these only in depth, width, or data set:", ""]
        lines += [f"- `{first}`: {', '.join(f'`{name}`' for name in same)}" for first, same in more.items() if same]
    left = [name for first, same in like.items() if first not in of for name in same if name not in of]
    if left and any(len(row) > 2 for row in names):
        lines += ["", "Neither these models nor similar ones were tested: " + ", ".join(map("`{}`".format, left))]
    return "\n".join(lines)


def _file(result: dict[str, Any]) -> str:
    """Return what is known of the file that this package wrote of a model whose numbers it had loaded."""
    if "same_file" not in result:
        return ""
    return "same" if result["same_file"] else result["back"]


def _line(result: dict[str, Any], said: str, back: str) -> str:
    shapes = " and ".join("×".join(map(str, sort["shape"])) for sort in result.get("sorts", []))
    count = f"{result['parameters']:,}" if "parameters" in result else ""
    message = result["message"].partition(";")[0] if said == "equal" else ""
    return (
        f"| `{result['model']}` | {result['module']} | {shapes} | {count} | {said} {message}".rstrip() + f" | {back} |"
    )


DESCRIPTION = Models
