"""MXNet's tests are taken out of its git directory, and changed so that each of them fails for itself alone.

A file in which one imported name is missing would fail as a whole. So each import, helper and constant at its top
level is tried for itself: what cannot be made is an object that says so where a test uses it.
"""

from __future__ import annotations

import ast
from pathlib import Path

from .clone import Clone

__all__ = ["one_by_one", "take_softened"]

_FOLDERS = ["tests/python/unittest", "tests/python/common", "tests/python/train"]
_TEST_UTILS = "python/mxnet/test_utils.py"
#: Where MXNet says which of NumPy's functions take its arrays: its tests try each of them.
_PROTOCOLS = "python/mxnet/numpy_dispatch_protocol.py"

#: Names that old programs take from NumPy, and from the star imports of MXNet's modules.
_EXPECTED_NAMES = "import sys\nimport numpy as np"
_EXPECTED_OF_MXNET = "import mxnet as mx\nfrom mxnet.ndarray import NDArray"


def take_softened(clone: Clone, commit: str, folder: Path, soften: bool = True) -> Path:
    """Write MXNet's tests into a folder.

    Parameters
    ----------
    clone : Clone
        A clone of MXNet.
    commit : str
        The version.
    folder : Path
        Where to write.
    soften : bool, optional
        Whether a missing name fails one test, and not its file.

    Returns
    -------
    Path
        The folder with the files of tests.
    """
    clone.unpack(commit, _FOLDERS, folder)
    tests = folder / "tests" / "python" / "unittest"
    helpers = tests / "mxnet_test_utils.py"
    helpers.write_bytes(clone.content(commit, _TEST_UTILS))
    protocols = ast.parse(clone.content(commit, _PROTOCOLS))
    lists: list[ast.stmt] = [
        node for node in protocols.body if isinstance(node, ast.Assign) and isinstance(node.value, ast.List)
    ]
    (tests / "mxnet_protocols.py").write_text(ast.unparse(ast.Module(lists, [])), "utf-8")
    common = folder / "tests" / "python" / "common"
    for file in [*tests.glob("*.py"), *common.glob("*.py")] if soften else []:
        file.write_text(one_by_one(file.read_text("utf-8"), of_mxnet=file == helpers), "utf-8")
    return tests


def one_by_one(source: str, of_mxnet: bool = False) -> str:
    """Return a file of tests in which a missing name fails what uses it, and no more.

    Parameters
    ----------
    source : str
        The file.
    of_mxnet : bool, optional
        Whether the file is a part of MXNet, and must not import it before it is made.

    Returns
    -------
    str
        The changed file.

    Examples
    --------
    >>> print(one_by_one("from mxnet import nothing", of_mxnet=True))
    import sys
    import numpy as np
    try:
        from mxnet import nothing
    except Exception as __error:
        nothing = __import__('inside.missing', fromlist=['Missing']).Missing('nothing', __error)
    """
    tree = ast.parse(source)
    head = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    body = [part for node in tree.body if node not in head for part in _guarded(node)]
    names = _EXPECTED_NAMES if of_mxnet else f"{_EXPECTED_NAMES}\n{_EXPECTED_OF_MXNET}"
    tree.body = [*head, *ast.parse(names).body, *body]
    return ast.unparse(ast.fix_missing_locations(tree))


def _guarded(node: ast.stmt) -> list[ast.stmt]:
    """Return a statement of the top level as one or more that cannot fail."""
    match node:
        case ast.ImportFrom(module=module, level=level) if level or (module or "").split(".")[0] == "mxnet":
            singles = [ast.ImportFrom(module=module, names=[alias], level=level) for alias in node.names]
            return [_tried(single, single.names[0].asname or single.names[0].name) for single in singles]
        case ast.Import() if any(alias.name.startswith("mxnet.") for alias in node.names):
            return [_tried(ast.Import(names=[alias]), alias.asname or alias.name) for alias in node.names]
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [_tried(node, name)]
        case ast.Assign(targets=[ast.Name(id=name)]):
            return [_tried(node, name)]
    return [node]


def _tried(node: ast.stmt, name: str) -> ast.stmt:
    """Return ``try: node``, after which the name stands for what went wrong."""
    missing = f"{name} = __import__('inside.missing', fromlist=['Missing']).Missing({name!r}, __error)"
    instead = ast.parse("pass" if not name.isidentifier() else missing).body
    handler = ast.ExceptHandler(type=ast.Name("Exception", ast.Load()), name="__error", body=instead)
    return ast.Try(body=[node], handlers=[handler], orelse=[], finalbody=[])
