"""What is required, read from where it is declared; what to type for it; and what is said where it is missing."""

import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
from packaging.requirements import Requirement as PipRequirement

from d2lhybrid.error import MXNetError
from d2lhybrid.internals.commands import cli, doctor
from d2lhybrid.internals.support import install_commands as advice
from d2lhybrid.internals.support import requirements

ROOT = Path(__file__).resolve().parent.parent


# --- what is declared ---


def test_requirements_are_read_as_pip_reads_them():
    """Every line of pyproject.toml, every marker."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for extra, lines in {None: project["dependencies"], **project["optional-dependencies"]}.items():
        here = [one for one in map(PipRequirement, lines) if one.marker is None or one.marker.evaluate()]
        found = requirements.requirements(extra)
        assert [(one.name, one.limits) for one in found] == [(one.name, str(one.specifier)) for one in here]
        for ours, theirs in zip(found, here, strict=True):
            for version in ("0.1", "1.9.9", "2", "2.0.0", "8.1", "9.2.0", "99", *re.findall(r"[\d.]+", ours.limits)):
                assert ours.met_by(version) == theirs.specifier.contains(version), (str(ours), version)
    assert requirements.required_python().limits == project["requires-python"]


@pytest.mark.parametrize("limits", ["<9.2,>=8.3", ">1.2", "<=3", "!=2.1,>=2", "~=1.4.2", "~=2.0", "==1.4"])
def test_every_relation_means_what_it_means_to_pip(limits):
    ours, theirs = requirements.Requirement("x", limits), PipRequirement(f"x{limits}").specifier
    for version in (
        "0.9",
        "1.2",
        "1.2.1",
        "1.4",
        "1.4.1",
        "1.4.2",
        "1.4.10",
        "1.5",
        "2.0",
        "2.1",
        "3",
        "8.3",
        "9.2",
        "10",
    ):
        assert ours.met_by(version) == theirs.contains(version), version


def test_requirements_of_an_installed_wheel(monkeypatch):
    lines = [
        "numpy>=2",
        "jupyterlab>=4.2; extra == 'lab'",
        'nvrtc>=13; (sys_platform == "linux") and extra == "dev"',
        "winpty>=2; sys_platform == 'win32' and extra == 'dev'",
        "later>=1; python_version < '3.15' and extra == 'dev'",
    ]
    wheel = SimpleNamespace(requires=lines, metadata={"Requires-Python": ">=3.11"})
    monkeypatch.setattr(requirements, "repository", lambda: None)
    monkeypatch.setattr(requirements, "_installed", lambda: wheel)
    monkeypatch.setattr(requirements.sys, "platform", "linux")
    assert list(map(str, requirements.requirements())) == ["numpy>=2"]
    assert list(map(str, requirements.requirements("lab"))) == ["jupyterlab>=4.2"]
    for minor, wanted in ((14, ["nvrtc>=13", "later>=1"]), (15, ["nvrtc>=13"])):
        with monkeypatch.context() as patch:
            patch.setattr(requirements.sys, "version_info", (3, minor, 0))
            found = requirements.requirements("dev")
        assert list(map(str, found)) == wanted
    assert not requirements.required_python().met_by("3.10.12")


def test_the_minima_of_the_doctor_are_those_of_the_declaration(monkeypatch):
    monkeypatch.setattr(doctor, "installed_version", lambda name: "0.0.1")
    checks = {check.name: check for check in doctor.examine()}
    for extra in ("lab", "onnx"):
        for requirement in requirements.requirements(extra):
            check = checks["graphviz package" if requirement.name == "graphviz" else requirement.name]
            assert check.found == f"0.0.1 is too old: the notebooks need {requirement}"
            assert check.remedy.endswith(f'-m pip install "{requirement}"') and check.without


# --- NumPy missing or broken ---


def run_command(folder, *arguments, options=()):
    """Run the command where modules of this folder come first; from the current one it imports nothing."""
    (elsewhere := folder / "elsewhere").mkdir(exist_ok=True)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}
    command = [sys.executable, *options, "-m", "d2lhybrid", *arguments]
    return subprocess.run(command, cwd=elsewhere, env=environment, capture_output=True, text=True, check=False)


#: Programs that stand in the place of NumPy, and what the report says of them.
BROKEN = {
    "raise ModuleNotFoundError('no module here')": "ModuleNotFoundError: no module here",
    r"raise ImportError('\n\nIMPORTANT: advice\n\nOriginal error was: wrong ABI\n')": "ImportError: wrong ABI",
    "raise SystemError('initialization failed')": "SystemError: initialization failed",
    "raise SystemExit(3)": "SystemExit: 3",
    "1 / 0": "ZeroDivisionError: division by zero",
    "print": "numpy.py shadows NumPy",
}


@pytest.mark.parametrize(("program", "said"), BROKEN.items(), ids=BROKEN.values())
def test_a_numpy_that_cannot_be_imported_is_reported(tmp_path, program, said):
    (tmp_path / "numpy.py").write_text(program + "\n")
    done = run_command(tmp_path, "doctor")
    assert done.returncode == 1 and not done.stderr
    line = next(line for line in done.stdout.splitlines() if "NumPy" in line)
    assert line.startswith("BROKEN   NumPy") and line.endswith(said)
    assert done.stdout.endswith("until you fix this: NumPy.\n")


def test_without_any_package_at_all(tmp_path):
    """As with the Python of the system, right after cloning: nothing ends in a traceback."""
    done = run_command(tmp_path, "doctor", options=["-S"])
    assert done.returncode == 1 and not done.stderr
    assert "BROKEN   NumPy             not installed\n" in done.stdout
    for name in ("jupyterlab", "nbclient", "onnx", "onnxruntime", "pillow"):
        assert f"missing  {name:<16}  not installed" in done.stdout
    for arguments in (["explain", "H03"], ["grade", "x.ipynb"]):
        done = run_command(tmp_path, *arguments, options=["-S"])
        assert done.returncode == 1 and not done.stdout
        assert done.stderr.startswith("NumPy: not installed. To fix this: ") and done.stderr.count("\n") == 1


def test_a_python_that_is_too_old_is_named(monkeypatch, capsys):
    monkeypatch.setattr(cli.sys, "version_info", (3, 10, 1))
    assert cli.main(["doctor"]) == 1
    assert capsys.readouterr().err.startswith(f"d2lhybrid needs Python 3.11 or newer, but {sys.executable} is")


# --- what to type ---


def test_a_venv_is_told_pip_though_conda_is_active(monkeypatch):
    monkeypatch.setenv("CONDA_PREFIX", sys.base_prefix)
    monkeypatch.setattr(advice.platform, "system", lambda: "Linux")
    monkeypatch.setattr(advice.sys, "prefix", "somewhere/else")
    assert advice.install_command("graphviz>=0.20").endswith('-m pip install "graphviz>=0.20"')
    assert advice.program_command("graphviz", "mac", "windows") == "sudo apt install graphviz"


def test_a_conda_environment_is_told_conda(monkeypatch, tmp_path):
    (tmp_path / "conda-meta").mkdir()
    monkeypatch.setattr(advice.sys, "prefix", str(tmp_path))
    monkeypatch.setattr(advice.sys, "base_prefix", str(tmp_path))
    command = advice.install_command("matplotlib>=3.9", requirements.Requirement("graphviz"), "cupy-cuda12x[ctk]>=14")
    assert command == 'conda install -c conda-forge "matplotlib-base>=3.9" python-graphviz "cupy>=14"'
    assert advice.program_command("graphviz", "mac", "windows") == "conda install -c conda-forge graphviz"


def test_the_python_of_a_distribution_is_told_to_make_an_environment(monkeypatch, tmp_path):
    (tmp_path / "EXTERNALLY-MANAGED").touch()
    monkeypatch.setattr(advice.sys, "prefix", sys.base_prefix)
    monkeypatch.setattr(advice.sysconfig, "get_path", lambda name: str(tmp_path))
    assert advice.install_command("numpy").endswith("-m venv .venv && .venv/bin/python -m pip install numpy")


# --- what is told to type works where the package came from ---

EXTRAS = {"onnx": "onnx", "fast": "onednn", "grading": "distributed", "cuda12": "cupy-cuda12x", "lab": "jupyterlab"}


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_command_for_an_extra_names_packages_that_an_index_has(extra):
    command = advice.extra_command(extra)
    assert EXTRAS[extra] in command and "pip install" in command and "d2lhybrid[" not in command


def test_no_program_advises_a_name_that_is_on_no_index():
    """Whoever needs an extra is told by `extra_command`: it works for a folder, an archive and an index alike."""
    package = Path(requirements.__file__).parent.parent
    advising = re.compile(r"install [^\n]*d2lhybrid\[")
    found = [
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if "data" not in path.relative_to(package).parts and advising.search(path.read_text("utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize("backend", ["onnxruntime", "onednn"])
def test_a_backend_that_is_not_there_says_what_to_type(backend, monkeypatch):
    from d2lhybrid.internals.compiler.backends import get_backend, onednn_program
    from d2lhybrid.onnx import runtime_backend as onnx_runtime

    monkeypatch.setattr(onnx_runtime.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(onednn_program.onednn, "is_available", lambda: False)
    with pytest.raises(MXNetError) as raised:
        get_backend(backend).check_available()
    extra = {"onnxruntime": "onnx", "onednn": "fast"}[backend]
    assert advice.extra_command(extra) in "\n".join(raised.value.__notes__)


@pytest.mark.parametrize("name", ["mxnet", "mxnet-cu112", "mxnet-mkl", "mxnet-native"])
def test_real_mxnet_in_the_same_environment_is_named(name, tmp_path, monkeypatch):
    """Installing d2lhybrid there has brought a NumPy with which it cannot be imported."""
    folder = tmp_path / f"{name.replace('-', '_')}-1.9.1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.9.1\n")
    assert doctor._beside_mxnet() == []
    monkeypatch.syspath_prepend(tmp_path)
    (check,) = doctor._beside_mxnet()
    assert not check.works and not check.needed
    assert f"{name} 1.9.1 is in this environment" in check.found and "import mxnet" in check.without
    assert "Real MXNet" in doctor.report([check]) and "-m venv" in check.remedy


# --- tools that other Pythons and other indices meet ---


@pytest.mark.parametrize("command", [["tests/gpu/needs_a_gpu.py", "make test-gpu"], ["benchmarks/compare_gpu.py"]])
def test_a_python_without_numpy_is_told_so_in_a_sentence(command, tmp_path):
    """`make test-gpu` and `make bench-gpu` take the machine's own Python, whatever it holds."""
    (tmp_path / "numpy.py").write_text("raise ModuleNotFoundError(\"No module named 'numpy'\", name='numpy')")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr and "cannot import NumPy" in done.stderr
    assert "PYTHON=/path/to/python" in done.stderr and len(done.stderr.splitlines()) == 1


def test_the_lock_is_asked_for_with_pips_certificates_and_indices():
    path = ROOT / "docs" / "release" / "lock.py"
    spec = importlib.util.spec_from_file_location("lock", path)
    assert spec is not None and spec.loader is not None
    lock = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(lock)
    listed = (
        "global.cert='/certificates.pem'\nglobal.index-url='https://mirror/simple'\n"
        "install.extra-index-url='https://a/simple\\nhttps://b/simple'\nglobal.find-links='/x /y'\nglobal.timeout='3'\n"
    )
    assert lock.told_as_pip_is({"HOME": "/h", "PIP_CERT": "/of-the-variable.pem"}, listed) == {
        "HOME": "/h",
        "PIP_CERT": "/of-the-variable.pem",
        "SSL_CERT_FILE": "/of-the-variable.pem",
        "UV_DEFAULT_INDEX": "https://mirror/simple",
        "UV_INDEX": "https://a/simple https://b/simple",
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_FIND_LINKS": "/x,/y",
    }
    assert lock.told_as_pip_is({"SSL_CERT_FILE": "/mine.pem"}, listed)["SSL_CERT_FILE"] == "/mine.pem"
    assert lock.told_as_pip_is({"HOME": "/h"}, "") == {"HOME": "/h"}


@pytest.mark.parametrize(
    ("system", "says"),
    [("Darwin", "brew install python@3"), ("Linux", "ppa:deadsnakes"), ("Windows", "winget install")],
)
def test_too_old_a_python_is_told_the_way_to_a_newer_one(system, says, monkeypatch):
    monkeypatch.setattr(advice.platform, "system", lambda: system)
    monkeypatch.setattr(advice, "in_conda", lambda: False)
    assert advice.newer_python("3.11").startswith("install Python 3.11 or newer: ") and says in advice.newer_python(
        "3.11"
    )
    monkeypatch.setattr(advice, "in_conda", lambda: True)
    assert "conda create" in advice.newer_python("3.11")
