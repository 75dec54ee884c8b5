"""Installation of the package in this folder, with the dependencies of its extras, into the current environment.

The Makefile first runs ``python -m d2lhybrid.internals.commands.installation lab --if-possible onnx``.
If nothing is missing, the command prints nothing and needs no connection. If a package is missing, it runs pip with the
user's configuration of indexes and proxies, and reports a failure in one sentence.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from ..support.requirements import Requirement, missing, repository

__all__ = ["install", "main"]

#: Settings of pip that would install packages outside this environment, or omit packages.
_ELSEWHERE = ("user", "target", "prefix", "root", "dry-run", "no-deps", "python", "require-hashes", "editable")
#: Messages of pip, in all its versions, about an index that does not answer.
_NO_CONNECTION = re.compile(
    r"connection broken by|Max retries exceeded|Connection ?(?:error|refused|reset|aborted)|NewConnectionError"
    r"|name resolution|ConnectTimeout|Read timed out|ProxyError|Network is unreachable",
    re.IGNORECASE,
)
#: Settings that detect a missing connection with one retry of five seconds. As environment variables, they also apply
#: to the pip that pip starts to build a package.
_HASTE = {"PIP_RETRIES": "1", "PIP_TIMEOUT": "5", "PIP_DEFAULT_TIMEOUT": "5"}
#: The build tool of this package; installing the tool spares pip later downloads.
_BUILD_TOOL = "hatchling>=1.26"


def _say(sentence: str) -> None:
    print(sentence, flush=True)


# --- the current state -------------------------------------------------------------------------


def _record_path() -> Path:
    return Path(sys.prefix) / ".d2lhybrid.json"


def _fingerprint(folder: Path) -> dict[str, str]:
    """Return the facts that must be unchanged for the recorded state to be valid."""
    declared = hashlib.sha256((folder / "pyproject.toml").read_bytes()).hexdigest()
    return {"folder": str(folder), "pyproject": declared, "python": sys.version}


def _recorded(folder: Path) -> set[str]:
    """Return the extras that were installed from this folder under its current declaration."""
    try:
        record = json.loads(_record_path().read_text("utf-8"))
        same = record["made of"] == _fingerprint(folder)
        return set(record["extras"]) if same else set()
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def _write_record(folder: Path, extras: Iterable[str]) -> None:
    record = {"made of": _fingerprint(folder), "extras": sorted({*extras, *_recorded(folder)})}
    with contextlib.suppress(OSError):  # without a record, the environment is checked every time
        _record_path().write_text(json.dumps(record, indent=1) + "\n", "utf-8")


def _installed_from(folder: Path) -> bool:
    """Return whether the package is installed such that changes in this folder take effect."""
    try:
        text = importlib.metadata.distribution("d2lhybrid").read_text("direct_url.json")
        address = urlsplit(json.loads(text or "{}").get("url", ""))
    except (importlib.metadata.PackageNotFoundError, ValueError, AttributeError):
        return False
    return address.scheme == "file" and Path(url2pathname(address.path)) == folder


# --- pip ---------------------------------------------------------------------------------------


def _pip_environment() -> dict[str, str]:
    """Return the environment for pip, without settings that would change the target of the installation."""
    refused = {f"PIP_{key.upper().replace('-', '_')}" for key in _ELSEWHERE} | {"PYTHONHOME"}
    environment = {key: value for key, value in os.environ.items() if key not in refused}
    command = [sys.executable, "-m", "pip", "config", "list"]
    listed = subprocess.run(command, env=environment, capture_output=True, text=True, check=False).stdout
    files = re.findall(r"^(global|install)\.([\w-]+)=(.*)$", listed, flags=re.MULTILINE)
    if any(key in _ELSEWHERE for _, key, _ in files):
        environment["PIP_CONFIG_FILE"] = os.devnull  # environment variables replace all other settings of the files
        for _, key, value in files:
            if key not in _ELSEWHERE:
                environment.setdefault(f"PIP_{key.upper().replace('-', '_')}", str(ast.literal_eval(value)))
    return {**environment, "PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}


class _Pip:
    """A runner of pip that shows progress and keeps the output in case of a failure."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = _pip_environment()
        self.said = ""

    def install(self, *arguments: str, hasty: bool = False, quiet: bool = False) -> bool:
        """Run ``pip install`` with these arguments; return whether it succeeded."""
        environment = {**self.environment, **(_HASTE if hasty else {})}
        command = [sys.executable, "-m", "pip", "install", "--progress-bar", "off", *arguments]
        lines: list[str] = []
        shown = time.monotonic()
        process = subprocess.Popen(
            command, cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, encoding="utf-8", errors="replace",
        )  # fmt: skip
        try:
            assert process.stdout is not None
            for line in process.stdout:
                lines.append(line)
                doing = re.match(r"\s*(Collecting|Downloading|Building|Installing) [^\s(]+", line)
                if doing and not quiet and time.monotonic() - shown > 5:
                    _say(f"  ... {doing[0].strip()}")
                    shown = time.monotonic()
            process.wait()
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait()
            if process.stdout is not None:
                process.stdout.close()
        self.said = "".join(lines)
        return process.returncode == 0

    @property
    def no_connection(self) -> bool:
        """Whether the last call failed because the package index didn't answer."""
        return _NO_CONNECTION.search(self.said) is not None

    def reason(self) -> str:
        """Return pip's message about its last failure, without its progress messages."""
        lines = [line for line in self.said.splitlines() if re.match(r"\s*(ERROR|error|WARNING: Retrying)", line)]
        return "\n".join((lines or self.said.splitlines())[-6:])

    def index(self) -> str:
        """Return the address of the index that did not answer."""
        host = re.search(r"host='([^']+)'", self.said)
        return self.environment.get("PIP_INDEX_URL") or (host[1] if host else "pypi.org")


# --- the whole installation --------------------------------------------------------------------


def _has_build_tool() -> bool:
    importlib.invalidate_caches()
    return importlib.util.find_spec("hatchling") is not None


def _renew(pip: _Pip) -> bool:
    """Install only the package, without a connection if the build tool is in the environment."""
    if not _has_build_tool():
        pip.install(_BUILD_TOOL, hasty=True, quiet=True)
    offline = ("--no-deps", "--no-index", "--no-build-isolation", "--editable", ".")
    return _has_build_tool() and pip.install(*offline, quiet=True)


def _fetch(pip: _Pip, extras: Sequence[str], optional: Sequence[str]) -> str:
    """Install all missing packages; return the reason for a failure, or an empty string."""
    probe = ("--dry-run", "--ignore-installed", "--no-deps") if _has_build_tool() else ()
    connected = pip.install(*probe, _BUILD_TOOL, hasty=True, quiet=True) or not pip.no_connection
    if not connected and not _has_build_tool():
        return _no_connection(pip, extras)
    # Without a connection, pip may find all packages in a folder of wheels, so it tries once, with the installed build
    # tool. With a connection, pip downloads build tools, because some packages need others than ours.
    options = ["--no-build-isolation"] if _has_build_tool() and not connected else []
    for wanted in ([*extras, *optional], list(extras)):
        if pip.install(*options, "--editable", f".[{','.join(wanted)}]", hasty=not connected):
            return ""
        if pip.no_connection or not optional:
            break
    if pip.no_connection or not connected:
        return _no_connection(pip, extras)
    return f"pip could not install the required packages. Its message:\n{pip.reason()}"


def _no_connection(pip: _Pip, extras: Sequence[str]) -> str:
    return (
        f"There is no connection to the package index ({pip.index()}), and some required packages are missing: "
        f"{_names(missing(extras)) or _BUILD_TOOL}.\n"
        "Connect and try again. To use a proxy, set HTTPS_PROXY; to use a mirror of the index, set PIP_INDEX_URL."
    )


def _names(requirements: Sequence[Requirement]) -> str:
    names = [str(one) for one in requirements[:5]]
    return ", ".join(names) + (f" and {len(requirements) - 5} more" if len(requirements) > 5 else "")


def _bring_up(pip: _Pip, folder: Path, extras: Sequence[str], optional: Sequence[str]) -> str:
    """Install the required packages; return the reason for a failure, or an empty string."""
    lacking = missing(extras)
    if not lacking:
        if _renew(pip):
            return ""
        if _installed_from(folder):
            _say("pyproject.toml has changed, and all its requirements are installed. (Only pip's record of d2lhybrid "
                 "was not updated: connect once to update it.)")  # fmt: skip
            return ""
    where = os.path.relpath(sys.prefix)
    _say(f"Installing {_names(lacking) or 'd2lhybrid'} into {where}. This can take a few minutes ...")
    start = time.monotonic()
    problem = _fetch(pip, extras, optional)
    if not problem:
        _say(f"Installed in {time.monotonic() - start:.0f} seconds.")
    return problem


def _bring_up_optional(pip: _Pip, optional: Sequence[str]) -> bool:
    """Install optional packages; return whether the success or failure is final."""
    lacking = [one for extra in optional for one in missing([extra])]
    if not lacking or pip.install(*map(str, lacking), hasty=True, quiet=True):
        return True
    if not pip.no_connection and len(lacking) > 1:  # a package may lack a wheel for this Python
        lacking = [one for one in lacking if not pip.install(str(one), hasty=True, quiet=True)]
    why = "there is no connection" if pip.no_connection else "not available for this machine"
    _say(f"Not installed, and optional ({why}): {_names(lacking)}.")
    return not pip.no_connection


def install(extras: Sequence[str], optional: Sequence[str] = ()) -> str:
    """Install the packages that the package's folder declares into this environment.

    Parameters
    ----------
    extras : sequence of str
        Extras to install.
    optional : sequence of str
        Additional extras, which some machines do not support.

    Returns
    -------
    str
        Sentence with the reason for a failure; empty on success, or if the environment belongs to another folder.
    """
    folder = repository()
    if folder is None:
        return "There is no pyproject.toml next to this package, so this is not a copy of the repository."
    if {*extras, *optional} <= _recorded(folder):
        return ""
    home = Path(os.path.realpath(sys.prefix))
    if sys.prefix == sys.base_prefix:
        return f"{sys.executable} is not in a virtual environment, so nothing was installed."
    if home.parent != folder:  # a link to the environment of another copy
        lacking = missing(extras)
        if lacking:
            _say(f"Packages are missing in {home}, which belongs to another folder: {_names(lacking)}.")
        return ""
    pip = _Pip(folder)
    if problem := _bring_up(pip, folder, extras, optional):
        return problem
    settled = _bring_up_optional(pip, optional)
    _write_record(folder, [*extras, *(optional if settled else ())])
    return ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the installation from the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        Arguments of the command; by default, the arguments in ``sys.argv``.

    Returns
    -------
    int
        Exit status, 0 for success.
    """
    parser = argparse.ArgumentParser(prog="python -m d2lhybrid.internals.commands.installation", description=__doc__)
    parser.add_argument("extras", nargs="+", help="extras to install, such as lab or dev")
    parser.add_argument("--if-possible", nargs="*", default=[], metavar="EXTRA", help="extras that may be missing")
    parsed = parser.parse_args(arguments)
    for name in ("SIGTERM", "SIGHUP"):  # end pip together with this process
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda number, frame: sys.exit(128 + number))
    try:
        problem = install(parsed.extras, parsed.if_possible)
    except KeyboardInterrupt:
        return 130
    if problem:
        print(problem, file=sys.stderr)
    return int(bool(problem))


if __name__ == "__main__":
    sys.exit(main())
