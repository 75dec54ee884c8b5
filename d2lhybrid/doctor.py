"""``d2lhybrid doctor``: what works on this machine, what does not, and what to type.

``examine`` returns plain data, ``report`` turns it into text; neither changes anything.

Examples
--------
>>> checks = [
...     Check("NumPy", True, "2.4.0", needed=True),
...     Check("Graphviz", False, "no program `dot`", "apt install graphviz", "Pictures look plainer."),
... ]
>>> print(report(checks))
works    NumPy     2.4.0
missing  Graphviz  no program `dot`
                   Pictures look plainer.
                   To have it: apt install graphviz
<BLANKLINE>
Everything that is needed works. 1 of 2 things is missing; it is optional.
>>> exit_status(checks)
0
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Check", "examine", "exit_status", "report"]


@dataclass(frozen=True)
class Check:
    """One thing that was looked at.

    Attributes
    ----------
    name : str
        What was looked at.
    works : bool
        Whether it works.
    found : str
        What was found, in a few words.
    remedy : str
        What to type, if it does not work.
    without : str
        What is different without it.
    needed : bool
        Whether the package cannot work without it.
    """

    name: str
    works: bool
    found: str
    remedy: str = ""
    without: str = ""
    needed: bool = False


def _pip(*requirements: str) -> str:
    """Return the command that installs packages into the environment that is running."""
    quoted = [f'"{r}"' if re.search(r"[<>=\[]", r) else r for r in requirements]
    return " ".join([_quoted_path(sys.executable), "-m pip install", *quoted])


def _quoted_path(path: str) -> str:
    return f'"{path}"' if " " in path else path


def _version(distribution: str) -> str | None:
    """Return the version of an installed distribution without importing it, None if there is none."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def _major(version: str) -> int:
    digits = re.match(r"\d+", version)
    return int(digits.group()) if digits else 0


def _output(*command: str) -> str | None:
    """Return what a program prints, on either stream; None if it is absent, fails or hangs."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    return done.stdout + done.stderr


# --- the core ----------------------------------------------------------------------------------


def _python() -> Check:
    found = f"{platform.python_version()} ({platform.system()}, {platform.machine()}), {sys.executable}"
    works = sys.version_info >= (3, 11)
    return Check("Python", works, found, "install Python 3.11 or newer", needed=True)


def _numpy() -> Check:
    remedy = _pip("numpy>=2")
    try:
        import numpy
    except ImportError as error:
        return Check("NumPy", False, f"cannot be imported: {error}", remedy, needed=True)
    config: Any = numpy.show_config(mode="dicts") or {}
    blas = config.get("Build Dependencies", {}).get("blas", {})
    name, version = blas.get("name", "unknown"), blas.get("version", "")
    found = f"{numpy.__version__} with BLAS {name} {version}".rstrip() + f", {os.cpu_count()} cores"
    return Check("NumPy", _major(numpy.__version__) >= 2, found, remedy, needed=True)


def _package() -> Check:
    """Check that a small net gives the same result eagerly and compiled."""
    from . import __version__

    try:
        from . import nd
        from .gluon import nn

        net = nn.HybridSequential()
        net.add(nn.Dense(4, activation="relu"), nn.Dense(2))
        net.initialize()
        x = nd.ones((1, 3))
        eager = net(x).asnumpy()
        net.hybridize()
        works = bool(abs(net(x).asnumpy() - eager).max() < 1e-5)
        found = "a small net gives the same result eagerly and hybridized"
        if not works:
            found = "a small net gives another result once it is hybridized"
    except Exception as error:  # whatever is broken belongs into the report
        works, found = False, f"{type(error).__name__}: {error}"
    return Check("d2lhybrid", works, f"{__version__}: {found}", _reinstall(), needed=True)


def _reinstall() -> str:
    root = Path(__file__).resolve().parent.parent
    if (root / "pyproject.toml").is_file():
        return _pip("-e", _quoted_path(str(root)))
    return "install d2lhybrid again, the way it was installed"


def _temporary_folder() -> Check:
    try:
        folder = tempfile.gettempdir()
        with tempfile.NamedTemporaryFile(dir=folder) as file:
            file.write(b"d2lhybrid")
            file.flush()
    except OSError as error:
        remedy = "export TMPDIR=<a folder that you may write to>"
        return Check("Temporary folder", False, str(error), remedy, needed=True)
    return Check("Temporary folder", True, f"{folder} can be written to", needed=True)


# --- the GPU -----------------------------------------------------------------------------------

WITHOUT_GPU = "Everything runs on the CPU."


def _driver_cuda() -> str | None:
    """Return the newest CUDA version that the NVIDIA driver runs, None without a driver."""
    text = _output("nvidia-smi")
    match = re.search(r"CUDA[^:|]*Version: *(\d+\.\d+)", text or "")
    return match.group(1) if match else None


def _gpu() -> Check:
    """Use a GPU through the backend: make an array on it, add, and bring it back."""
    from . import backend
    from .context import Context
    from .errors import MXNetError

    context = Context("gpu", 0)
    try:
        module = backend.array_module(context)
    except MXNetError as error:
        return _no_gpu(" ".join(getattr(error, "__notes__", [])) or str(error))
    try:
        total = float(backend.asnumpy(module.ones(8, "float32") + 1).sum())
        free, memory = backend.gpu_memory_info(0)
        name = module.cuda.runtime.getDeviceProperties(0)["name"].decode()
    except Exception as error:  # CuPy raises its own types, which only the backend may import
        reason = str(error).strip() or type(error).__name__
        return Check("GPU", False, reason.splitlines()[0], _cupy_remedy(), WITHOUT_GPU)
    found = f"CuPy {module.__version__}, {backend.num_gpus()} x {name}, "
    found += f"{free / 2**30:.1f} of {memory / 2**30:.1f} GiB free"
    return Check("GPU", total == 16, found, _cupy_remedy(), WITHOUT_GPU)


def _no_gpu(reason: str) -> Check:
    cuda = _driver_cuda()
    if cuda is None:
        return Check("GPU", False, "no NVIDIA driver (nvidia-smi does not answer)", "", WITHOUT_GPU)
    return Check("GPU", False, f"the driver runs CUDA {cuda}, but: {reason}", _cupy_remedy(cuda), WITHOUT_GPU)


def _cupy_remedy(cuda: str | None = None) -> str:
    cuda = cuda or _driver_cuda() or "12"
    return _pip("cupy-cuda13x[ctk]" if _major(cuda) >= 13 else "cupy-cuda12x[ctk]")


# --- the notebooks -----------------------------------------------------------------------------


def _jupyter(distribution: str, minimum: int, without: str) -> Check:
    version = _version(distribution)
    remedy = _pip(f"{distribution}>={minimum}" if minimum else distribution)
    if version is None:
        return Check(distribution, False, "not installed", remedy, without)
    return Check(distribution, _major(version) >= minimum, version, remedy, without)


def _graphviz() -> list[Check]:
    version = _version("graphviz")
    package = Check(
        "graphviz package",
        version is not None,
        version or "not installed",
        _pip("graphviz"),
        "viz.plot_network has nothing to return; our own pictures need no package.",
    )
    commands = {"Darwin": "brew install graphviz", "Windows": "winget install graphviz"}
    remedy = commands.get(platform.system(), "sudo apt install graphviz")
    if os.environ.get("CONDA_PREFIX"):
        remedy = "conda install graphviz"
    without = "Nothing needs it so far: only pictures of graphs will."
    if shutil.which("dot") is None:
        return [package, Check("Graphviz program", False, "no `dot` on the PATH", remedy, without)]
    text = _output("dot", "-V")
    if text is None:
        return [package, Check("Graphviz program", False, "`dot -V` fails", remedy, without)]
    match = re.search(r"\d+(\.\d+)+", text)
    return [package, Check("Graphviz program", True, f"dot {match.group()}" if match else text.strip())]


# --- all of it ---------------------------------------------------------------------------------


def examine() -> list[Check]:
    """Look at this machine.

    Returns
    -------
    list of Check
        The needed things first.
    """
    checks = [_python(), _numpy(), _package(), _temporary_folder(), _gpu()]
    checks += [
        _jupyter("jupyterlab", 4, "Notebooks do not open; Python and IPython work."),
        _jupyter("ipykernel", 6, "Notebooks do not run."),
        _jupyter("ipywidgets", 8, "Interactive views become still pictures."),
        _jupyter("anywidget", 0, "Interactive views become still pictures."),
        _jupyter("matplotlib", 0, "d2l.plot and d2l.show_images do not draw."),
    ]
    return checks + _graphviz()


def report(checks: Sequence[Check]) -> str:
    """Return the checks as text, with a closing sentence."""
    width = max(len(check.name) for check in checks)
    lines = []
    for check in checks:
        state = "works" if check.works else ("BROKEN" if check.needed else "missing")
        lines.append(f"{state:<7}  {check.name:<{width}}  {check.found}")
        if not check.works:
            indent = " " * (width + 11)
            if check.without:
                lines.append(indent + check.without)
            if check.remedy:
                lines.append(f"{indent}To have it: {check.remedy}")
    return "\n".join([*lines, "", _verdict(checks)])


def _verdict(checks: Iterable[Check]) -> str:
    checks = list(checks)
    broken = [check.name for check in checks if check.needed and not check.works]
    if broken:
        return f"d2lhybrid cannot work here before this is mended: {', '.join(broken)}."
    missing = sum(not check.works for check in checks)
    if not missing:
        return "Everything works."
    verb = "is missing; it is optional" if missing == 1 else "are missing; they are optional"
    return f"Everything that is needed works. {missing} of {len(checks)} things {verb}."


def exit_status(checks: Iterable[Check]) -> int:
    """Return 1 if the package cannot work here, else 0."""
    return int(any(check.needed and not check.works for check in checks))
