"""Programs written for MXNet and for the book's helpers find what they import, however they spell it."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

#: Import lines as programs have them, each with something that must hold afterwards.
SPELLINGS = {
    "import mxnet": "mxnet.nd.ones((1,)).asnumpy()[0] == 1",
    "import mxnet as mx": "mx.gluon.nn.Dense is d2lhybrid.gluon.nn.Dense",
    "import mxnet.gluon": "mxnet.gluon is d2lhybrid.gluon",
    "import mxnet.gluon.block": "mxnet.gluon.block.HybridBlock is d2lhybrid.gluon.HybridBlock",
    "import mxnet.gluon.nn as nn": "nn is d2lhybrid.gluon.nn",
    "import mxnet.ndarray as nd": "nd is d2lhybrid.nd",
    "import mxnet.numpy as np": "np is d2lhybrid.np",
    "import mxnet.visualization": "mxnet.visualization is mxnet.viz is d2lhybrid.viz",
    "from mxnet import nd, gluon as g, init": "(nd, g, init) == (d2lhybrid.nd, d2lhybrid.gluon, d2lhybrid.init)",
    "from mxnet import autograd, context, gluon, init, np, npx": "npx is d2lhybrid.npx and context.cpu() == mx().cpu()",
    "from mxnet import sym, symbol": "sym is symbol is d2lhybrid.symbol",
    "from mxnet import lr_scheduler, metric, optimizer": "optimizer is mx().opt",
    "from mxnet import __version__": "__version__ == '1.9.1'",
    "from mxnet import *": "nd is d2lhybrid.nd and cpu() == d2lhybrid.cpu()",
    "from mxnet.gluon import nn": "nn is d2lhybrid.gluon.nn",
    "from mxnet.gluon import nn, rnn": "rnn.LSTM is d2lhybrid.gluon.rnn.LSTM",
    "from mxnet.gluon import data as gdata, loss as gloss": "gloss.L2Loss is d2lhybrid.gluon.loss.L2Loss",
    "from mxnet.gluon.block import HybridBlock": "HybridBlock is d2lhybrid.gluon.HybridBlock",
    "import mxnet.gluon.nn.basic_layers as layers": "layers.BatchNorm is d2lhybrid.gluon.nn.BatchNorm",
    "from mxnet.gluon.nn.conv_layers import MaxPool2D": "MaxPool2D is d2lhybrid.gluon.nn.MaxPool2D",
    "from mxnet.gluon.rnn.rnn_cell import DropoutCell": "DropoutCell is d2lhybrid.gluon.rnn.DropoutCell",
    "from mxnet.ndarray.ndarray import arange": "arange is d2lhybrid.nd.arange",
    "from mxnet.optimizer.optimizer import Adam": "Adam is d2lhybrid.optimizer.Adam",
    "from mxnet.symbol.symbol import load_json": "load_json is d2lhybrid.sym.load_json",
    "from mxnet.gluon.data import vision": "vision is d2lhybrid.gluon.data.vision",
    "from mxnet.gluon.data.vision import transforms": "transforms is mx().gluon.data.vision.transforms",
    "from mxnet.contrib import text": "callable(text.vocab.Vocabulary)",
    "from mxnet.contrib.text.vocab import Vocabulary": "len(Vocabulary()) == 1",
    "from mxnet import autograd, context, gluon, image, init, np, npx": "image is d2lhybrid.image",
    "from mxnet.ndarray import nansum": "nansum is d2lhybrid.nd.nansum",
    "from mxnet.numpy.random import multinomial": "callable(multinomial)",
    "import d2l": "d2l.Timer is helpers.Timer",
    "import d2l as the_book": "the_book.Timer is helpers.Timer and the_book.__name__ == 'd2l'",
    "import d2l.mxnet": "d2l.mxnet is helpers",
    "import d2l.mxnet as d2l": "d2l is helpers",
    "from d2l import mxnet": "mxnet is helpers",
    "from d2l import mxnet as d2l": "d2l is helpers",
    "from d2l import Timer": "Timer is helpers.Timer",
    "from d2l.mxnet import Timer, try_gpu": "Timer is helpers.Timer and try_gpu is helpers.try_gpu",
    "import d2lzh": "d2lzh.sgd is d2lzh.utils.sgd",
    "import d2lzh as d2l": "d2l.try_gpu(1000) == d2lhybrid.cpu()",
    "from d2lzh import utils": "utils.try_gpu(1000) == d2lhybrid.cpu()",
    "import d2lzh.utils as d2l": "d2l.try_gpu(1000) == d2lhybrid.cpu()",
    "from d2lzh.utils import set_figsize": "callable(set_figsize)",
    "import gluonbook as gb": "gb.sgd is d2lhybrid.d2lzh.sgd and gb.__name__ == 'gluonbook' and 'Residual' in dir(gb)",
    "from gluonbook import utils": "utils.try_gpu(1000) == d2lhybrid.cpu()",
    "from gluonbook.utils import set_figsize": "callable(set_figsize)",
}

#: What a program on the import lines begins with.
PROLOGUE = f"""
import sys
import d2lhybrid
from d2lhybrid import d2l as helpers
mx = d2lhybrid.as_mxnet
SPELLINGS = {SPELLINGS!r}

def check(spelling):
    names = {{"d2lhybrid": d2lhybrid, "helpers": helpers, "mx": mx}}
    exec(spelling, names)
    assert eval(SPELLINGS[spelling], names), spelling

def forget():
    for name in list(sys.modules):
        if name.partition(".")[0] in ("mxnet", "d2l", "d2lzh", "gluonbook"):
            del sys.modules[name]
"""


def run(program, folder=None, *, fails=False):
    """Run a program in a process of its own, in a folder that it may import from; return what it printed."""
    paths = [str(Path(__file__).parents[1]), *([str(folder)] if folder else [])]
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
    )
    assert (done.returncode != 0) == fails, done.stderr
    return done.stderr if fails else done.stdout


# --- spellings ------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["sorted(SPELLINGS)", "sorted(SPELLINGS, reverse=True)"])
def test_every_spelling_in_one_program(order):
    run(PROLOGUE + f"mx()\nfor spelling in {order}: check(spelling); mx()")


def test_every_spelling_after_every_other_one():
    run(
        PROLOGUE
        + """
for first in SPELLINGS:
    for second in SPELLINGS:
        forget()
        mx()
        check(first)
        check(second)
"""
    )


def test_an_import_before_says_that_there_is_no_mxnet_and_one_after_works():
    run(
        PROLOGUE
        + """
for spelling in SPELLINGS:
    forget()
    try:
        exec(spelling, {})
    except ModuleNotFoundError as error:
        assert str(error).startswith(f"No module named '{spelling.split()[1].partition('.')[0]}'"), error
    else:
        raise AssertionError(spelling)
    mx()
    check(spelling)
    sys.meta_path.pop(0)
"""
    )


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ("import mxnet.nowhere", "No module named 'mxnet.nowhere'"),
        ("from mxnet import nowhere", "cannot import name 'nowhere' from 'mxnet'"),
        ("import mxnet.gluon.nowhere", "has no module 'd2lhybrid.gluon.nowhere'"),
        ("from d2l import torch as d2l", "cannot import name 'torch' from 'd2l'"),
        ("import d2l.torch", "MXNet edition of Dive into Deep Learning. Change the import to d2l.mxnet."),
        ("import d2lzh.plots", "MXNet edition of Dive into Deep Learning. Change the import to d2lzh.utils."),
        ("import mxnet; mxnet.nowhere", "module 'mxnet' has no attribute 'nowhere'"),
    ],
)
def test_what_is_not_there_is_named(program, sentence):
    assert sentence in run(f"import d2lhybrid; d2lhybrid.as_mxnet(); {program}", fails=True)


# --- what mxnet is --------------------------------------------------------------------------------


def test_private_names_that_programs_import():
    run(
        "import d2lhybrid; d2lhybrid.as_mxnet()\n"
        "import ctypes\n"
        "import numpy\n"
        "from mxnet.base import NDArrayHandle, SymbolHandle, KVStoreHandle\n"
        "from mxnet.ndarray.ndarray import _STORAGE_TYPE_STR_TO_ID, _STORAGE_TYPE_ID_TO_STR, _DTYPE_NP_TO_MX\n"
        "from mxnet.ndarray import _DTYPE_MX_TO_NP, _GRAD_REQ_MAP\n"
        "from mxnet.ndarray.sparse import _STORAGE_AUX_TYPES\n"
        "from mxnet.numpy_dispatch_protocol import _NUMPY_ARRAY_FUNCTION_LIST, _NUMPY_ARRAY_UFUNC_LIST\n"
        "from mxnet._numpy_op_doc import _np_cumsum, _npx_reshape\n"
        "assert NDArrayHandle is SymbolHandle is ctypes.c_void_p\n"
        "assert _STORAGE_TYPE_STR_TO_ID == {'undefined': -1, 'default': 0, 'row_sparse': 1, 'csr': 2}\n"
        "assert all(_STORAGE_TYPE_ID_TO_STR[n] == name for name, n in _STORAGE_TYPE_STR_TO_ID.items())\n"
        "assert _DTYPE_NP_TO_MX[numpy.float16] == 2 and _DTYPE_MX_TO_NP[7] is numpy.bool_\n"
        "assert _GRAD_REQ_MAP['add'] == 3 and len(_STORAGE_AUX_TYPES['csr']) == 2\n"
        "import mxnet as mx\n"
        "x = mx.np.ones((2, 2))\n"
        "assert len(_NUMPY_ARRAY_FUNCTION_LIST) == 105 and len(_NUMPY_ARRAY_UFUNC_LIST) == 57\n"
        "missing = {'sometrue', 'round_', 'product'}\n"
        "from functools import reduce\n"
        "assert all(reduce(getattr, name.split('.'), numpy) for name in set(_NUMPY_ARRAY_FUNCTION_LIST) - missing)\n"
        "assert all(isinstance(getattr(numpy, name)(*[x] * getattr(numpy, name).nin), mx.np.ndarray)\n"
        "           for name in _NUMPY_ARRAY_UFUNC_LIST if name not in ('lcm', 'invert', 'bitwise_not')\n"
        "           and not name.startswith('bitwise'))\n"
        "assert 'axis' in _np_cumsum.__doc__ and _np_cumsum([1]) is None and _npx_reshape.__doc__\n"
    )


def test_programs_see_the_version_of_mxnet_and_we_keep_ours():
    program = """
        import d2lhybrid
        ours = d2lhybrid.__version__
        mx = d2lhybrid.as_mxnet()
        import mxnet
        assert mx is mxnet is d2lhybrid.as_mxnet()
        assert mxnet.__version__ == "1.9.1" and d2lhybrid.__version__ == ours != "1.9.1"
        assert mxnet.__name__ == "mxnet" and mxnet.__file__ == d2lhybrid.__file__
        assert {"nd", "gluon", "__version__"} <= set(dir(mxnet))
        """
    run(program)


def test_importing_under_a_second_name_leaves_the_module_as_it_was():
    program = """
        import d2lhybrid, d2lhybrid.context, d2lhybrid.gluon.block as block
        def state():
            return [(m.__name__, m.__spec__, hasattr(m, "__path__")) for m in (d2lhybrid.context, block, d2lhybrid)]
        before = state()
        d2lhybrid.as_mxnet()
        import mxnet.context, mxnet.gluon.block
        assert state() == before
        """
    run(program)


def test_a_stand_in_can_be_reloaded():
    program = """
        import importlib, d2lhybrid
        mx = d2lhybrid.as_mxnet()
        from d2l import mxnet as d2l
        import d2l as book
        assert importlib.reload(mx) is mx and importlib.reload(book) is book
        assert mx.nd is d2lhybrid.nd and book.mxnet is d2l
        """
    run(program)


def test_real_mxnet_that_is_imported_already_is_named(tmp_path):
    folder = tmp_path / "mxnet"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    said = run("import mxnet, d2lhybrid; d2lhybrid.as_mxnet()", tmp_path, fails=True)
    assert "RuntimeError: another mxnet package is already imported" in said and "before `import mxnet`" in said


def test_what_a_failed_import_of_real_mxnet_left_behind_is_not_served(tmp_path):
    folder = tmp_path / "mxnet"
    folder.mkdir()
    (folder / "context.py").write_text("")
    (folder / "__init__.py").write_text("from . import context\nimport numpy\nnumpy.no_longer_there")
    program = """
        import sys
        try:
            import mxnet
        except AttributeError:
            assert "mxnet.context" in sys.modules
        import d2lhybrid
        d2lhybrid.as_mxnet()
        from mxnet.context import cpu
        assert cpu is d2lhybrid.cpu
        """
    run(program, tmp_path)


# --- the book's own helpers -----------------------------------------------------------------------

#: A package as the book's is: what it imports, and that it is a module that refers to itself by its name.
BOOK = """
import sys
from mxnet import autograd, context, gluon, image, init, np, npx
from mxnet.gluon import nn, rnn
from mxnet.gluon.data.vision import transforms

whose = "the book's"
d2l = sys.modules[__name__]
nn_Module = nn.Block
size = lambda a: a.size
reduce_sum = lambda x, *args, **kwargs: x.sum(*args, **kwargs)

class Loss(gluon.loss.SoftmaxCELoss):
    def forward(self, prediction, label, length):
        weights = npx.sequence_mask(np.expand_dims(np.ones_like(label), axis=-1), length, True, axis=1)
        return super().forward(prediction, label, weights)

class Model(d2l.nn_Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Dense(1)
        self.net.initialize(init.Normal(sigma=0.01))

    def forward(self, X):
        return d2l.size(self.net(X))
"""

BOOK_ZH = """
import mxnet as mx
from mxnet import autograd, gluon, image, init, nd
from mxnet.contrib import text
from mxnet.gluon import data as gdata, loss as gloss, nn, utils as gutils

whose = "the book's"

def devices(ctx=[mx.cpu()]):
    return ctx
"""


@pytest.fixture
def chapter(tmp_path):
    """A folder of a chapter, with the book's packages beside it."""
    for package, module, source in (("d2l", "mxnet", BOOK), ("d2lzh", "utils", BOOK_ZH)):
        folder = tmp_path / package
        folder.mkdir()
        (folder / f"{module}.py").write_text(source)
        (folder / "__init__.py").write_text("from .utils import *\n" if package == "d2lzh" else "__version__ = '1'\n")
    return tmp_path


@pytest.mark.parametrize("line", ["from d2l import mxnet as d2l", "import d2l.mxnet as d2l", "import d2lzh as d2l"])
def test_the_books_own_package_wins_and_works(chapter, line):
    program = f"""
        import d2lhybrid
        d2lhybrid.as_mxnet()
        {line}
        assert d2l.whose == "the book's"
        assert not hasattr(d2l, "Timer")
        from mxnet import np, npx
        npx.set_np()
        if hasattr(d2l, "Model"):
            assert d2l.Model()(np.ones((3, 2))) == 3
            assert d2l.Loss()(np.ones((2, 3, 4)), np.ones((2, 3)), np.array([1, 2])).shape == (2,)
        """
    run(program, chapter)


def test_the_former_name_of_the_books_package_finds_the_present_one(chapter):
    line = "import d2lhybrid; d2lhybrid.as_mxnet(); import gluonbook as gb; print(gb.whose)"
    assert run(line, chapter) == "the book's\n"
    (chapter / "gluonbook.py").write_text("whose = 'the program'\n")
    assert run(line, chapter) == "the program\n"


def test_the_books_own_package_without_its_init_wins_too(chapter):
    (chapter / "d2l" / "__init__.py").unlink()
    line = "import d2lhybrid; d2lhybrid.as_mxnet(); from d2l import mxnet as d2l; print(d2l.whose)"
    assert run(line, chapter) == "the book's\n"


def test_a_folder_that_only_has_the_name_does_not_hide_the_helpers(tmp_path):
    (tmp_path / "d2l").mkdir()
    (tmp_path / "d2l" / "notes.txt").write_text("")
    line = "import d2lhybrid; d2lhybrid.as_mxnet(); from d2l import mxnet as d2l; print(d2l.try_gpu(1000))"
    assert run(line, tmp_path) == "cpu(0)\n"


def test_an_edition_of_the_book_without_mxnet_is_not_mixed_with_ours(chapter):
    (chapter / "d2l" / "mxnet.py").rename(chapter / "d2l" / "torch.py")
    line = "import d2lhybrid; d2lhybrid.as_mxnet(); from d2l import mxnet as d2l"
    assert "cannot import name 'mxnet' from 'd2l'" in run(line, chapter, fails=True)
