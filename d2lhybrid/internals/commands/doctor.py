"""``d2lhybrid doctor``: a report on the features that work on this machine, and on fixes for the missing features.

``examine`` returns plain data, and ``report`` formats the data. Neither function changes the machine.

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
                   To fix it: apt install graphviz
<BLANKLINE>
Everything that is needed works. 1 of 2 items is missing; it is optional.
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
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..pictures.html import element, escape
from ..support import package
from ..support.install_commands import in_conda, install_command, newer_python, program_command
from ..support.machine import in_browser
from ..support.requirements import Requirement, installed_version, repository, required_python, requirements

__all__ = ["Check", "examine", "exit_status", "numpy_check", "report"]


@dataclass(frozen=True)
class Check:
    """The result of one check.

    Attributes
    ----------
    name : str
        Name of the checked item.
    works : bool
        Whether the item works.
    found : str
        Result in a few words.
    remedy : str
        Command or advice that fixes the item if it does not work.
    without : str
        Consequence if the item is missing.
    needed : bool
        Whether the package requires the item.
    tried : bool
        Whether the item was checked; False if another item must work first.
    """

    name: str
    works: bool
    found: str
    remedy: str = ""
    without: str = ""
    needed: bool = False
    tried: bool = True


def _output(*command: str) -> str | None:
    """Return a program's output on both streams, or None if the program is missing, fails, or hangs."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    return done.stdout + done.stderr


def _reason(error: BaseException) -> str:
    """Return the reason for a failure in one line; NumPy's messages begin with pages of advice."""
    text = str(error)
    _, found, original = text.partition("Original error was:")
    lines = [line.strip() for line in (original if found else text).splitlines() if line.strip()]
    notes = [line for note in getattr(error, "__notes__", []) for line in note.splitlines()[:1]]
    return f"{type(error).__name__}: {' '.join([*lines[:1], *notes])}" if lines else type(error).__name__


# --- the core ----------------------------------------------------------------------------------


def _python() -> Check:
    found = f"{platform.python_version()} ({platform.system()}, {platform.machine()}), {sys.executable}"
    wanted = required_python()
    works = wanted.met_by(".".join(map(str, sys.version_info[:3])))
    return Check("Python", works, found, newer_python(wanted.limits.lstrip(">=")), needed=True)


def numpy_check() -> Check:
    """Check whether NumPy can be imported and is new enough.

    Returns
    -------
    Check
        The result, with NumPy's version or the problem.
    """
    wanted = next((one for one in requirements() if one.name == "numpy"), Requirement("numpy"))
    remedy = install_command(wanted)
    try:
        import numpy
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a broken installation may raise anything, SystemError and SystemExit included
        if installed_version("numpy") is None and isinstance(error, ImportError):
            return Check("NumPy", False, "not installed", remedy, needed=True)
        if not in_conda():
            remedy += " --force-reinstall"
        return Check("NumPy", False, f"cannot be imported: {_reason(error)}", remedy, needed=True)
    version = getattr(numpy, "__version__", None)
    if version is None:
        place = getattr(numpy, "__file__", None) or next(iter(numpy.__path__), "")
        return Check(
            "NumPy", False, f"{place} shadows NumPy", "rename the file or folder that shadows NumPy", needed=True
        )
    found = f"{version} with BLAS {_blas(numpy)}".rstrip()
    if not wanted.met_by(version):
        return Check("NumPy", False, f"{found} is too old: d2lhybrid needs {wanted}", remedy, needed=True)
    return Check("NumPy", True, found, needed=True)


def _blas(numpy: Any) -> str:
    try:
        blas = numpy.show_config(mode="dicts")["Build Dependencies"]["blas"]
        return f"{blas.get('name', 'unknown')} {blas.get('version', '')}".rstrip()
    except Exception:  # builds of NumPy differ in this information
        return "unknown"


def _package() -> Check:
    """Check that a small net gives the same result eagerly and compiled."""
    from ... import __version__

    try:
        works = _a_net_compiles()
        found = "a small net gives the same result eagerly and hybridized"
        if not works:
            found = "a small net gives different results eagerly and hybridized"
    except Exception as error:  # the report must cover every error
        works, found = False, _reason(error)
    return Check("d2lhybrid", works, f"{__version__} in {package.FOLDER}: {found}", _reinstall(), needed=True)


def _a_net_compiles() -> bool:
    """Return whether a small net compiles, without side effects on layer names and random numbers."""
    from ... import initializer, name, nd
    from ...gluon import nn

    with name.NameManager():
        net = nn.HybridSequential()
        net.add(nn.Dense(4, activation="relu"), nn.Dense(2))
        net.initialize(initializer.Constant(0.5))
        x = nd.array([[1, -2, 3]])
        eager = net(x).asnumpy()
        net.hybridize()
        return bool(abs(net(x).asnumpy() - eager).max() < 1e-5)


def _reinstall() -> str:
    folder = repository()
    if folder is not None:
        return f'{install_command("-e")} "{folder}"' if not in_conda() else f'python -m pip install -e "{folder}"'
    return "install d2lhybrid again in the same way as before"


def _beside_mxnet() -> list[Check]:
    """Check for real MXNet in this environment, where it cannot run, because it needs an older NumPy."""
    try:
        names = {str(one.metadata["Name"]) for one in importlib.metadata.distributions()}
    except Exception:  # damaged metadata of another package
        return []
    found = sorted(name for name in names if re.fullmatch(r"mxnet(-(cu\d+|mkl|native))*", name.lower()))
    if not found:
        return []
    name = f"{found[0]} {installed_version(found[0]) or ''}".strip()
    return [
        Check(
            "Real MXNet",
            False,
            f"{name} is in this environment; it needs NumPy below 1.24, but d2lhybrid needs NumPy 2",
            f"{sys.executable} -m venv d2lhybrid-environment, and install d2lhybrid there",
            "`import mxnet` fails here. d2lhybrid works, and as_mxnet() provides its own `mxnet`.",
        )
    ]


def _temporary_folder() -> Check:
    try:
        folder = tempfile.gettempdir()
        with tempfile.NamedTemporaryFile(dir=folder) as file:
            file.write(b"d2lhybrid")
            file.flush()
    except OSError as error:
        remedy = "export TMPDIR=<a folder with write permission>"
        return Check("Temporary folder", False, str(error), remedy, needed=True)
    return Check("Temporary folder", True, f"{folder} is writable", needed=True)


def _processors() -> Check:
    """Report the number of cores that this process can use, and the number of threads that is set."""
    there = os.cpu_count() or 1
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else there
    found = f"{usable} of {there} are available" if usable < there else f"{there}"
    told = [f"{name}={os.environ[name]}" for name in _THREADS if os.environ.get(name)]
    return Check("Processors", True, ", ".join([found, *told]))


def _threads() -> Check:
    """Report the number of threads of matrix products, and whether they leave cores to other processes."""
    from ..compiler.threads import describe

    return Check("Threads", True, describe())


#: Environment variables that set the number of threads of linear algebra.
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


# --- the GPU -----------------------------------------------------------------------------------

WITHOUT_GPU = "Everything runs on the CPU."


def _driver_cuda() -> str | None:
    """Return the newest CUDA version that the NVIDIA driver supports, or None without a driver."""
    text = _output("nvidia-smi")
    match = re.search(r"CUDA[^:|]*Version: *(\d+\.\d+)", text or "")
    return match.group(1) if match else None


def _gpu() -> Check:
    """Check a GPU through the backend: create an array on the GPU, add, and copy the result to the host."""
    from ...context import Context
    from ...error import MXNetError
    from ..device import array_modules

    context = Context("gpu", 0)
    if in_browser():
        return Check("GPU", False, "not available to Python in a browser", "", WITHOUT_GPU)
    try:
        module = array_modules.array_module(context)
    except MXNetError as error:
        return _no_gpu(" ".join(getattr(error, "__notes__", [])) or str(error))
    try:
        total = float(array_modules.asnumpy(module.ones(8, "float32") + 1).sum())
        free, memory = array_modules.gpu_memory_info(0)
        name = module.cuda.runtime.getDeviceProperties(0)["name"].decode()
    except Exception as error:  # CuPy raises its own types, which only the backend may import
        reason = str(error).strip() or type(error).__name__
        return Check("GPU", False, reason.splitlines()[0], _cupy_remedy(), WITHOUT_GPU)
    found = f"CuPy {module.__version__}, {array_modules.num_gpus()} x {name}, "
    found += f"{free / 2**30:.1f} of {memory / 2**30:.1f} GiB free"
    return Check("GPU", total == 16, found, _cupy_remedy(), WITHOUT_GPU)


def _no_gpu(reason: str) -> Check:
    cuda = _driver_cuda()
    if cuda is None:
        return Check("GPU", False, "no NVIDIA driver (nvidia-smi does not answer)", "", WITHOUT_GPU)
    return Check("GPU", False, f"the driver supports CUDA {cuda}, but: {reason}", _cupy_remedy(cuda), WITHOUT_GPU)


def _cupy_remedy(cuda: str | None = None) -> str:
    cuda = cuda or _driver_cuda() or "12"
    extra = "cuda13" if int(cuda.split(".")[0]) >= 13 else "cuda12"
    return install_command(*(f"{one.name}[ctk]{one.limits}" for one in requirements(extra)))


# --- compiled programs -------------------------------------------------------------------------


def _c_compiler() -> Check:
    """Check the system's C compiler by compiling two lines, as ``hybridize(backend="c")`` does."""
    without = 'net.hybridize(backend="c") does not work; everything else does.'
    if in_browser():
        return Check("C compiler", False, "a browser cannot start other programs", "", without)
    from ..compiler.backends import c_compiler

    remedy = program_command("gcc", "xcode-select --install", "winget install LLVM.LLVM")
    path = c_compiler.find_compiler()
    if path is None:
        return Check("C compiler", False, "none of $CC, cc, gcc, and clang is on the PATH", remedy, without)
    try:
        c_compiler.try_out(path)
    except Exception as error:  # such as missing headers, or a folder that libraries cannot be loaded from
        return Check("C compiler", False, f"{path} fails: {_reason(error)}", remedy, without)
    return Check("C compiler", True, path)


def _onednn() -> Check:
    """Check for oneDNN, which ``hybridize(backend="onednn")`` uses."""
    without = 'net.hybridize(backend="onednn") does not work; everything else does.'
    if in_browser():
        return Check("oneDNN", False, "a browser cannot load system libraries", "", without)
    from ..compiler import onednn

    remedy = "unset D2LHYBRID_ONEDNN" if onednn.is_disabled() else install_command(*requirements("fast"))
    return Check("oneDNN", onednn.is_available(), onednn.describe(), remedy, without)


# --- notebooks and optional packages -------------------------------------------------------------

_NO_NOTEBOOKS = "Notebooks do not open; Python and IPython work."
_STILL = "Interactive views become static pictures."
_NO_ONNX = 'net.export(format="onnx") does not work; MXNet\'s own formats do.'

#: Consequences of missing packages of the extras.
WITHOUT = {
    "anywidget": _STILL,
    "graphviz": "viz.plot_network returns nothing; net.graph and our own pictures do not need it.",
    "ipykernel": "Notebooks do not run.",
    "ipywidgets": _STILL,
    "jupyterlab": _NO_NOTEBOOKS,
    "matplotlib": "d2l.plot and d2l.show_images do not draw.",
    "nbclient": "`d2lhybrid lesson` does not run.",
    "onnx": _NO_ONNX,
    "onnxruntime": 'Exported models do not run here, nor does net.hybridize(backend="onnxruntime").',
    "pillow": "Image files cannot be read; the data sets of the package are not image files.",
}

#: Packages that serve and run notebooks, which a browser does itself, or that do not exist for WebAssembly.
_NOT_IN_A_BROWSER = ("ipykernel", "jupyterlab", "nbclient", "onnx", "onnxruntime")


def _optional(wanted: Requirement) -> Check:
    """Check for a package without importing it."""
    version = installed_version(wanted.name)
    name = "graphviz package" if wanted.name == "graphviz" else wanted.name
    found = version or "not installed"
    works = wanted.met_by(version)
    if version and not works:
        found = f"{version} is too old: the notebooks need {wanted}"
    return Check(name, works, found, install_command(wanted), WITHOUT.get(wanted.name, ""))


def _optional_packages() -> list[Check]:
    wanted = {one.name: one for one in [*requirements("lab"), *requirements("onnx")]}
    out_of_place = _NOT_IN_A_BROWSER if in_browser() else ()
    return [_optional(one) for one in wanted.values() if one.name not in out_of_place]


def _graphviz() -> Check:
    """Check for Graphviz, which is optional, because this package has its own layout."""
    remedy = program_command("graphviz", "brew install graphviz", "winget install graphviz")
    without = 'Graphs have our own layout; engine="dot" and rendering the result of viz.plot_network do not work.'
    if shutil.which("dot") is None:
        return Check("Graphviz program", False, "no `dot` on the PATH", remedy, without)
    text = _output("dot", "-V")
    if text is None:
        return Check("Graphviz program", False, "`dot -V` fails", remedy, without)
    match = re.search(r"\d+(\.\d+)+", text)
    return Check("Graphviz program", True, f"dot {match.group()}" if match else text.strip())


# --- the whole report --------------------------------------------------------------------------


def _after(first: Check, name: str, look: Callable[[], Check], needed: bool = False) -> Check:
    """Run a check that depends on another check, if the other check passed."""
    if first.works:
        return look()
    return Check(name, False, f"not tried: {first.name} must be fixed first", needed=needed, tried=False)


def examine() -> list[Check]:
    """Run all checks.

    Returns
    -------
    list of Check
        Results, in the order of the report.
    """
    numpy = numpy_check()
    return [
        _python(),
        numpy,
        _after(numpy, "d2lhybrid", _package, needed=True),
        *_beside_mxnet(),
        _temporary_folder(),
        _processors(),
        _after(numpy, "Threads", _threads),
        _after(numpy, "GPU", _gpu),
        _after(numpy, "C compiler", _c_compiler),
        _after(numpy, "oneDNN", _onednn),
        *_optional_packages(),
        *([] if in_browser() else [_graphviz()]),
    ]


def _state(check: Check) -> str:
    if check.works:
        return "works"
    if not check.tried:
        return "unknown"
    return "BROKEN" if check.needed else "missing"


class _Report(str):
    """The text of a report. A notebook shows the checks as HTML that wraps between words at every width."""

    checks: Sequence[Check]

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        rows = [_row(check) for check in self.checks]
        verdict = element("p", escape(_verdict(self.checks)), style="margin: 8px 0 0; font-weight: 600")
        return element("div", *rows, verdict, style="max-width: 1100px; overflow-wrap: anywhere")


def _row(check: Check) -> str:
    """Return a check as HTML: three columns, or, where the page is narrow, the details below the name."""
    state, notes = _state(check), [check.found]
    if not check.works:
        notes += [check.without] * bool(check.without)
        notes += [f"To fix it: {check.remedy}"] * bool(check.remedy)
    weight = "normal" if check.works else "600"
    return element(
        "div",
        element("div", escape(state), style=f"flex: 0 0 6em; font-weight: {weight}"),
        element("div", escape(check.name), style="flex: 0 0 11em; font-weight: 600"),
        element("div", *(element("div", escape(note)) for note in notes), style="flex: 1 1 20em; min-width: 0"),
        style="display: flex; flex-wrap: wrap; gap: 0 8px; padding: 3px 0; line-height: 1.4",
    )


def report(checks: Sequence[Check]) -> str:
    """Return the checks as text, with a closing sentence.

    At the end of a notebook's cell, the text is displayed as HTML.

    Parameters
    ----------
    checks : sequence of Check
        Results of the checks.

    Returns
    -------
    str
        The report.
    """
    width = max(len(check.name) for check in checks)
    lines = []
    for check in checks:
        lines.append(f"{_state(check):<7}  {check.name:<{width}}  {check.found}")
        if not check.works:
            indent = " " * (width + 11)
            if check.without:
                lines.append(indent + check.without)
            if check.remedy:
                lines.append(f"{indent}To fix it: {check.remedy}")
    text = _Report("\n".join([*lines, "", _verdict(checks)]))
    text.checks = checks
    return text


def _verdict(checks: Iterable[Check]) -> str:
    checks = list(checks)
    broken = [check.name for check in checks if _state(check) == "BROKEN"]
    if broken:
        return f"d2lhybrid cannot work here until you fix this: {', '.join(broken)}."
    missing = sum(not check.works for check in checks)
    if not missing:
        return "Everything works."
    verb = "is missing; it is optional" if missing == 1 else "are missing; they are optional"
    return f"Everything that is needed works. {missing} of {len(checks)} items {verb}."


def exit_status(checks: Iterable[Check]) -> int:
    """Return the exit status of the command: 1 if a required item does not work, and 0 if all required items work.

    Parameters
    ----------
    checks : iterable of Check
        Results of the checks.

    Returns
    -------
    int
        The exit status.
    """
    return int(any(check.needed and not check.works for check in checks))
