"""Commands that install packages into the running environment."""

from __future__ import annotations

import platform
import re
import sys
import sysconfig
from pathlib import Path

from .machine import in_browser
from .requirements import Requirement, requirements

__all__ = ["extra_command", "in_conda", "install_command", "newer_python", "program_command"]

#: Conda's names that differ from PyPI's.
_CONDA_NAMES = {"cupy-cuda12x": "cupy", "cupy-cuda13x": "cupy", "graphviz": "python-graphviz",
                "matplotlib": "matplotlib-base"}  # fmt: skip


def in_conda() -> bool:
    """Return whether this Python runs in a conda environment, and not in a venv based on a conda environment."""
    return sys.prefix == sys.base_prefix and (Path(sys.prefix) / "conda-meta").is_dir()


def _without_an_environment() -> bool:
    """Return whether this is the system's Python, into which pip doesn't install packages (PEP 668)."""
    marker = Path(sysconfig.get_path("stdlib")) / "EXTERNALLY-MANAGED"
    return sys.prefix == sys.base_prefix and marker.is_file()


def _quoted(word: str) -> str:
    return f'"{word}"' if re.search(r"[<>=\[\s]", word) else word


def install_command(*wanted: Requirement | str) -> str:
    """Return the command that installs packages: with conda in a conda environment, otherwise with pip.

    If pip rejects installations into the system's Python, the command creates a virtual environment first.

    Parameters
    ----------
    *wanted : Requirement or str
        The requirements, or PyPI names of packages.

    Examples
    --------
    >>> install_command(Requirement("numpy", ">=2"))
    '...-m pip install "numpy>=2"'
    """
    if in_conda():
        named = [Requirement(_CONDA_NAMES.get(one.name, one.name), one.limits) for one in map(_as_requirement, wanted)]
        return " ".join(["conda install -c conda-forge", *(_quoted(str(one)) for one in named)])
    packages = [_quoted(str(one)) for one in wanted]
    if in_browser():
        return " ".join(["%pip install", *packages])
    python = _quoted(sys.executable)
    if _without_an_environment():
        return " ".join([f"{python} -m venv .venv && .venv/bin/python -m pip install", *packages])
    return " ".join([python, "-m pip install", *packages])


def newer_python(least: str) -> str:
    """Return instructions for installing a given version of Python or a newer version.

    Parameters
    ----------
    least : str
        The oldest supported version.

    Examples
    --------
    >>> newer_python("3.11")
    'install Python 3.11 or newer: ...'
    """
    if in_conda():
        how = "conda create -n d2lhybrid python=3.13"
    else:
        how = {
            "Darwin": "brew install python@3.13, or the installer from https://www.python.org/downloads/macos/",
            "Windows": "winget install Python.Python.3.13",
        }.get(
            platform.system(),
            "on Ubuntu 22.04 sudo add-apt-repository ppa:deadsnakes/ppa && sudo apt install python3.13-venv; "
            "anywhere pip install --user uv && uv python install 3.13",
        )
    return f"install Python {least} or newer: {how}"


def extra_command(extra: str) -> str:
    """Return the command that installs the requirements of an extra of this package.

    The command names the required packages, so that it works whether this package was installed from a folder, an
    archive, or an index.

    Parameters
    ----------
    extra : {"lab", "onnx", "fast", "cuda12", "cuda13", "grading"}
        The name of the extra.

    Examples
    --------
    >>> extra_command("onnx")
    '...-m pip install "onnx>=..." "onnxruntime..."'
    """
    return install_command(*(requirements(extra) or [f"d2lhybrid[{extra}]"]))


def _as_requirement(wanted: Requirement | str) -> Requirement:
    if isinstance(wanted, Requirement):
        return wanted
    match = re.fullmatch(r"([\w.-]+)(?:\[[^]]*\])?(.*)", wanted)
    return Requirement(match[1], match[2]) if match else Requirement(wanted)


def program_command(name: str, mac: str, windows: str) -> str:
    """Return the command that installs a system program: with conda in a conda environment, otherwise for the system.

    On Linux, the command outside of a conda environment is for Debian.

    Parameters
    ----------
    name : str
        The name of the package in Debian and in conda-forge.
    mac, windows : str
        The commands for macOS and Windows.
    """
    if in_conda():
        return f"conda install -c conda-forge {name}"
    return {"Darwin": mac, "Windows": windows}.get(platform.system(), f"sudo apt install {name}")
