"""The type stubs beside the modules whose functions are made at run time."""

import ast
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import d2lhybrid as mx
from d2lhybrid.internals.commands.stubs import stub_files

FILES = stub_files()


@pytest.mark.parametrize("path", FILES, ids=lambda p: "/".join(p.parts[-2:]))
def test_stubs_are_python(path: Path) -> None:
    tree = ast.parse(FILES[path])
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert len(names) == len(set(names))
    assert all(ast.get_docstring(node) for node in tree.body if isinstance(node, ast.FunctionDef))


def test_every_public_function_is_in_a_stub() -> None:
    for module in (mx.nd.contrib, mx.nd.linalg, mx.nd.random, mx.nd.op, mx.sym.contrib, mx.sym.linalg, mx.sym.op):
        path = Path(module.__file__).with_suffix(".pyi")
        found = {node.name for node in ast.parse(FILES[path]).body if isinstance(node, ast.FunctionDef)}
        assert set(module._public.names()) <= found, path


PROGRAM = """
from d2lhybrid import nd, sym

x = nd.ones((2, 3))
reveal_type(nd.relu(x))
reveal_type(nd.contrib.div_sqrt_dim(x))
reveal_type(nd.linalg.gemm2(x, x, transpose_b=True))
reveal_type(nd.maximum)
reveal_type(sym.FullyConnected(sym.var("data"), num_hidden=2))
nd.relu(x, slope=1)
nd.Pooling(x, pool_type="median")
nd.no_such_function
"""


@pytest.mark.slow
@pytest.mark.skipif(find_spec("pyright") is None, reason="pyright is not installed")
def test_a_type_checker_knows_the_functions(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    root = Path(mx.__file__).parent.parent
    (tmp_path / "pyrightconfig.json").write_text(f'{{"extraPaths": ["{root.as_posix()}"]}}')
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    lines = [line.partition("program.py:")[2] for line in done.stdout.splitlines() if "program.py:" in line]
    told = {int(line.partition(":")[0]): line for line in lines}
    assert all('"NDArray"' in told[line] for line in (5, 6, 7)), done.stdout
    assert '"Symbol"' in told[9]
    assert all("error" in told[line] for line in (10, 11, 12)), done.stdout
