"""How the course is made ready for a browser: the notebooks, and the list of what is loaded of Python."""

import hashlib
import json
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs" / "lite"))

from contents import link, prepared, write_contents  # noqa: E402
from distribution import COURSE, FROM_PYPI, KERNEL, LATER, Distribution, normalized  # noqa: E402


def cells(path):
    return [(c["cell_type"], "".join(c["source"])) for c in json.loads(path.read_text("utf-8"))["cells"]]


def test_the_notebooks_come_as_they_are_but_for_what_a_browser_cannot_do(tmp_path):
    names = write_contents(ROOT / "notebooks", tmp_path)
    assert {"00_start_here.ipynb", "zh/04_limits.ipynb", "exercises/03_hybrid_block.ipynb"} <= set(names)
    assert sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.ipynb")) == sorted(names)
    changed = {}
    for name in names:
        before, after = cells(ROOT / "notebooks" / name), cells(tmp_path / name)
        assert [kind for kind, _ in before] == [kind for kind, _ in after]
        changed[name] = [a[1] for b, a in zip(before, after, strict=True) if a != b]
        made = json.loads((tmp_path / name).read_text("utf-8"))
        assert made["metadata"]["kernelspec"]["name"] == "python"
        for kind, source in after:
            if kind == "code":
                compile("\n".join("" if line.startswith("%") else line for line in source.splitlines()), name, "exec")
    assert [len(changed[f"{folder}04_limits.ipynb"]) for folder in ("", "zh/")] == [1, 1]
    assert all("try:\n    net(x)\nexcept" in changed[f"{folder}04_limits.ipynb"][0] for folder in ("", "zh/"))
    for folder in ("", "zh/"):
        (starts_a_program,) = changed[f"{folder}05_export_and_deploy.ipynb"]
        assert starts_a_program.startswith("print(") and all(s[0] == "#" for s in starts_a_program.split("\n")[1:])
    assert sum(map(len, changed.values())) == 4


def test_a_cell_that_raises_in_the_middle_of_something_is_not_guessed_at():
    cell = {"cell_type": "code", "metadata": {"tags": ["raises-exception"]}, "source": ["with x:\n", "    y()"]}
    with pytest.raises(ValueError, match="the last line of a cell that raises"):
        prepared({"cells": [cell], "metadata": {}})


@pytest.mark.parametrize(
    "page",
    [
        "notebooks/04_limits",
        "zh/notebooks/04_limits",
        "notebooks/exercises/04_limits",
        "zh/notebooks/exercises/04_limits",
    ],
)
def test_a_page_finds_the_course_beside_it(page):
    folder = Path("/site", page).parent / link("notebooks/04_limits.ipynb", page).partition("?")[0]
    assert Path(*folder.parts[:1]).joinpath("site/lite/lab/index.html") == Path(folder.as_posix()).resolve()


# --- what is loaded of Python ---------------------------------------------------------------------


def wheel(folder, name, *files):
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for file in (*files, f"{name}-1.0.dist-info/METADATA"):
            archive.writestr(file, "")
    return path


class Simulated(Distribution):
    """Without a network: the core lists some packages, and PyPI has every pure one."""

    def bring_core(self):
        compiled = {"numpy": [], "pillow": [], "matplotlib": ["numpy", "Pure_Part"]}
        listed = {
            name: {"name": name, "version": "1.0", "file_name": f"{name}-1.0-cp313-cp313-wasm32.whl", "imports": [name],
                   "sha256": hashlib.sha256(name.encode()).hexdigest(), "depends": needs}
            for name, needs in compiled.items()
        }  # fmt: skip
        for name in ("micropip", "ipython", "jedi", "traitlets", "typing-extensions", "Pure_Part", "not-needed"):
            listed[name] = {"name": name, "version": "1.0", "file_name": f"{name}-1.0-py3-none-any.whl", "depends": []}
        lock = {"info": {"python": "3.13.2"}, "packages": listed}
        (self.folder / "pyodide-lock.json").write_text(json.dumps(lock))

    def _from_pypi(self, packages, wanted):
        for spec, needs in wanted.items():
            name = spec.partition("==")[0].replace("-", "_")
            self._add(packages, wheel(self.folder, name, f"{name}/__init__.py", f"{name}_more.py"), needs)


def simulated(tmp_path, source):
    made = Simulated("0.29.3", tmp_path / "made", str(source))
    kernel = [wheel(tmp_path / "kernel", name) for name in ("piplite", "ipykernel", "pyodide_kernel")]
    made.make([wheel(tmp_path / "own", "d2lhybrid", "d2lhybrid/__init__.py")], kernel)
    return made, json.loads((tmp_path / "made" / "pyodide-lock.json").read_text())["packages"]


def whole(folder):
    folder.mkdir()
    for name in ("numpy", "pillow", "matplotlib"):
        (folder / f"{name}-1.0-cp313-cp313-wasm32.whl").write_text(name)
    return folder


def test_all_that_is_needed_is_listed_and_lies_there(tmp_path):
    made, packages = simulated(tmp_path, whole(tmp_path / "pyodide"))
    assert {normalized(name) for name in (*KERNEL, *COURSE, *LATER)} <= set(packages)
    assert "pure-part" in packages and "not-needed" not in packages and made.elsewhere == []
    for name, entry in packages.items():
        content = (tmp_path / "made" / entry["file_name"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == entry["sha256"], name
        assert all(normalized(other) in packages for other in entry["depends"]), name
    assert packages["d2lhybrid"]["depends"] == ["numpy"] and packages["d2lhybrid"]["imports"] == ["d2lhybrid"]
    assert packages["comm"]["imports"] == ["comm", "comm_more"] and packages["sqlite3"]["imports"] == []


def test_an_archive_serves_as_a_folder_does(tmp_path):
    import tarfile

    with tarfile.open(tmp_path / "pyodide-0.29.3.tar.bz2", "w:bz2") as archive:
        archive.add(whole(tmp_path / "files"), "pyodide")
    made, packages = simulated(tmp_path, tmp_path / "pyodide-0.29.3.tar.bz2")
    assert made.elsewhere == [] and packages["numpy"]["file_name"] == "numpy-1.0-cp313-cp313-wasm32.whl"


def test_another_file_of_the_same_name_is_refused(tmp_path):
    folder = whole(tmp_path / "pyodide")
    (folder / "numpy-1.0-cp313-cp313-wasm32.whl").write_text("something else")
    with pytest.raises(SystemExit, match="is not the file that pyodide-lock"):
        simulated(tmp_path, folder)


def test_a_distribution_without_a_file_is_named(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(SystemExit, match=r"empty has no .*\.whl of Pyodide 0.29.3"):
        simulated(tmp_path, tmp_path / "empty")


def test_where_it_cannot_be_reached_the_browser_is_told_where_to_look(tmp_path, monkeypatch):
    monkeypatch.setattr(Simulated, "fetched", lambda self, name: None)
    made, packages = simulated(tmp_path, "")
    assert len(made.elsewhere) == 3
    address = "https://cdn.jsdelivr.net/pyodide/v0.29.3/full/numpy-1.0-cp313-cp313-wasm32.whl"
    assert packages["numpy"]["file_name"] == address and packages["numpy"]["sha256"]
    assert not any(entry["file_name"].startswith("http") for name, entry in packages.items() if name in FROM_PYPI)
