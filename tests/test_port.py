"""``d2lhybrid port``: what becomes of old programs, told without running them, and what is repaired mechanically."""

from __future__ import annotations

import ast
import functools
import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from d2lhybrid.internals.commands.cli import main
from d2lhybrid.internals.commands.porting import command as porting
from d2lhybrid.internals.commands.porting import facts
from d2lhybrid.internals.commands.porting.command import examine_folder
from d2lhybrid.internals.commands.porting.findings import Kind, Verdict
from d2lhybrid.internals.commands.porting.patches import patch_of
from d2lhybrid.internals.commands.porting.syntax import parse_any
from d2lhybrid.util import config

ROOT = Path(__file__).resolve().parents[1]
#: Defines what the examples use.
REST = "\ndef _():\n    global p, args, gpus, y, f, b, k\n    p = args = gpus = y = f = b = k = None\n"
LOUD = "raise SystemExit('a program was run')\n"


@pytest.fixture(autouse=True)
def _english():
    yield
    config(lang="en")


@functools.cache
def habits_of(libraries):
    return facts.Habits(libraries)


@pytest.fixture(autouse=True)
def _habits_once(monkeypatch):
    """Start the process that lists the habits once for each set of libraries, not once for each program."""
    monkeypatch.setattr(porting, "Habits", lambda libraries: habits_of(frozenset(libraries)))


def write(folder, **programs):
    """Write programs and notebooks into a folder, and return it."""
    for name, text in programs.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        is_notebook = isinstance(text, list)
        file = file.with_name(file.name + (".ipynb" if is_notebook else ".py"))
        file.write_text(notebook(text) if is_notebook else textwrap.dedent(text), "utf-8")
    return folder


def notebook(cells, **metadata):
    """Return a notebook as Jupyter writes it."""
    made = [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [],
         "source": textwrap.dedent(cell).splitlines(keepends=True)}
        for cell in cells
    ]  # fmt: skip
    content = {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 4}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def examined(folder, **programs):
    """Return the results of programs, by name."""
    write(folder, **{name: text if isinstance(text, list) else textwrap.dedent(text) + REST
                     for name, text in programs.items()})  # fmt: skip
    return {result.path.relative_to(folder).with_suffix("").as_posix(): result for result in examine_folder(folder)}


def found(folder, text):
    """Return the verdict on one program, and what was found: kind, name and line."""
    (result,) = examined(folder, one=text).values()
    return result.verdict, [(finding.kind, finding.what, finding.line) for finding in result.findings]


def run_patch(*arguments, folder, patch=""):
    """Run the program that people apply patches with."""
    if shutil.which("patch") is None:
        pytest.skip("there is no `patch` program")
    subprocess.run(["patch", *arguments], input=patch.encode(), cwd=folder, check=True, capture_output=True)


def repaired(folder, text, name="one"):
    """Return a program after the patch was applied by the program that people apply patches with."""
    write(folder, **{name: text})
    patch, changed = patch_of(examine_folder(folder), folder)
    if not changed:
        return None
    run_patch("-p1", folder=folder, patch=patch)
    return changed[0].read_text("utf-8")


# --- verdicts -----------------------------------------------------------------------------------------------------

#: A custom operator with the given outputs that uses the output with the given number.
OPERATOR = """
import mxnet as mx
class Operator(mx.operator.CustomOp):
    def backward(self, req, out_grad, in_data, out_data, in_grad, aux): in_grad[1][:] = out_data[{1}]
class Proposal(mx.operator.CustomOpProp):
    def list_arguments(self): return ["data", "label"]
    def list_outputs(self): return {0}
    def create_operator(self, context, shapes, types): return Operator()
"""

USUAL = """
    import collections
    import mxnet as mx
    from mxnet import autograd, gluon, nd
    from mxnet.gluon import nn

    class Net(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return F.contrib.arange_like(F.relu(x)) if F is nd else F.np.exp(x)

    ctx = mx.gpu() if mx.context.num_gpus() else mx.cpu()
    net = nn.Dense(3)
    print(net(mx.nd.ones((1, 2), ctx=ctx)), collections.OrderedDict())
"""


def test_a_program_of_today_runs(tmp_path):
    assert found(tmp_path, USUAL) == (Verdict.RUNS, [])


@pytest.mark.parametrize(
    ("program", "verdict", "kind", "what", "line"),
    [
        ("import numpy as np\nx = np.int(3)", Verdict.HABITS, Kind.HABIT, "numpy.int", 2),
        ("from collections import Iterable", Verdict.HABITS, Kind.HABIT, "collections.Iterable", 1),
        ("import time\n\nt = time.clock()", Verdict.HABITS, Kind.HABIT, "time.clock", 3),
        ("import numpy as np\na = np.zeros(3)\na.tostring()", Verdict.HABITS, Kind.HABIT, "ndarray.tostring", 3),
        ("import numpy as np\nnp.histogram([1], normed=True)", Verdict.HABITS, Kind.HABIT, "histogram(normed=)", 2),
        ("from numpy.lib import arraysetops", Verdict.HABITS, Kind.HABIT, "numpy.lib.arraysetops", 1),
        ("open('one.py', 'rU')", Verdict.HABITS, Kind.HABIT, "open(file, 'rU')", 1),
        ("from mxnet import rtc", Verdict.ABSENT, Kind.ABSENT, "mx.rtc", 1),
        ("import mxnet as mx\nmx.sym.WarpCTC(1)", Verdict.ABSENT, Kind.ABSENT, "mx.sym.WarpCTC", 2),
        ("import mxnet.tvmop", Verdict.ABSENT, Kind.ABSENT, "mx.tvmop", 1),
        ("class N:\n def hybrid_forward(self, F, x):\n  return F.quux(x)", Verdict.ABSENT, Kind.ABSENT, "F.quux", 3),
        ("print(nonesuch)", Verdict.ABSENT, Kind.ABSENT, "nonesuch", 1),
        ("from d2l import mxnet as d2l\nd2l.quux(3)", Verdict.ABSENT, Kind.ABSENT, "d2l.mxnet.quux", 2),
        ("import d2l.quux", Verdict.ABSENT, Kind.ABSENT, "d2l.quux", 1),
        ("import gluonbook as gb\ngb.quux(3)", Verdict.ABSENT, Kind.ABSENT, "gluonbook.quux", 2),
        (
            "import d2lzh as d2l\nd2l.load_data_fashion_mnist(3)",
            Verdict.NEEDS,
            Kind.DOWNLOAD,
            "d2lzh.load_data_fashion_mnist()",
            2,
        ),
        ("import mxnet as mx\nx = mx.gpu(0)", Verdict.NEEDS, Kind.GPU, "gpu()", 2),
        ("import nonesuch", Verdict.NEEDS, Kind.PACKAGE, "nonesuch", 1),
        ("from mxnet.gluon.utils import download\ndownload('x')", Verdict.NEEDS, Kind.DOWNLOAD, "utils.download()", 2),
        (
            "from mxnet import gluon\nv = gluon.data.vision\nv.MNIST()",
            Verdict.NEEDS,
            Kind.DOWNLOAD,
            "vision.MNIST()",
            3,
        ),
        (
            "def g(dataset):\n  pass\ndataset = p\ndataset.FashionMNIST()",
            Verdict.NEEDS,
            Kind.DOWNLOAD,
            "FashionMNIST()",
            4,
        ),
        ("import mxnet as mx\nmx.model.load_checkpoint(p, 3)", Verdict.NEEDS, Kind.FILE, "model.load_checkpoint()", 2),
        ("import mxnet as mx\nmx.model.load_checkpoint('m/net', 3)", Verdict.NEEDS, Kind.FILE, "m/net", 2),
        ("f(pretrained=True)", Verdict.NEEDS, Kind.DOWNLOAD, "pretrained=True", 1),
        ("import os\nos.system('wget http://x')", Verdict.NEEDS, Kind.DOWNLOAD, "wget", 2),
        ("f('data/train.rec')", Verdict.NEEDS, Kind.FILE, "data/train.rec", 1),
        ("f(1).load_params('netG100')", Verdict.NEEDS, Kind.FILE, "netG100", 1),
        ("p.add_argument('--data', default='./data/penn')", Verdict.NEEDS, Kind.FILE, "./data/penn", 1),
        ("p.add_argument('network')", Verdict.NEEDS, Kind.ARGUMENTS, "network", 1),
        ("p.add_argument('--x', required=True)", Verdict.NEEDS, Kind.ARGUMENTS, "--x", 1),
        ("import sys\nx = sys.argv[1]", Verdict.NEEDS, Kind.ARGUMENTS, "sys.argv[1]", 2),
        ("x = input()", Verdict.NEEDS, Kind.ARGUMENTS, "input()", 1),
        (
            "p.add_argument('--data', type=str)\nopen(args.data)",
            Verdict.NEEDS,
            Kind.ARGUMENTS,
            "--data",
            2,
        ),
        (
            "import gluonbook as gb\ngb.load_data_fashion_mnist(3)",
            Verdict.NEEDS,
            Kind.DOWNLOAD,
            "gluonbook.load_data_fashion_mnist()",
            2,
        ),
        ("import d2lzh\nd2lzh.data_iter(1, 2, y, b)", Verdict.ABSENT, Kind.ABSENT, "d2lzh.data_iter()", 2),
        (
            "from mxnet import gluon\ngluon.data.vision.datasets.CIFAR10()",
            Verdict.NEEDS,
            Kind.DOWNLOAD,
            "datasets.CIFAR10()",
            2,
        ),
        (
            "class B:\n  def add(self, x):\n    self._children.append(x)",
            Verdict.ABSENT,
            Kind.ABSENT,
            "_children.append",
            3,
        ),
        ("def f():\n  z = 1\ndef g():\n  return z", Verdict.ABSENT, Kind.ABSENT, "z", 4),
        ("print(z)\nz = 1", Verdict.ABSENT, Kind.ABSENT, "z", 1),
        ("n = n + 1", Verdict.ABSENT, Kind.ABSENT, "n", 1),
        ("print(1 if z else 2)\nz = 1", Verdict.ABSENT, Kind.ABSENT, "z", 1),
        ("print(z or y)\nz = y = 1", Verdict.ABSENT, Kind.ABSENT, "z", 1),
        ("for i in range(3):\n  with open(__file__):\n    n = n + 1", Verdict.ABSENT, Kind.ABSENT, "n", 3),
        ("def g():\n  n = 1\nfor i in g():\n  n = n + 1", Verdict.ABSENT, Kind.ABSENT, "n", 4),
        ("while b:\n  print(n)\n  n = 1", Verdict.ABSENT, Kind.ABSENT, "n", 2),
        (
            "from mxnet.gluon import nn\nnn.MaxPool2D((1, 2), padding=(1, 1))",
            Verdict.ABSENT,
            Kind.ABSENT,
            "nn.MaxPool2D()",
            2,
        ),
        ("from mxnet import nd\nnd.Pooling(y, kernel=2, pad=2)", Verdict.ABSENT, Kind.ABSENT, "nd.Pooling()", 2),
        (
            "from mxnet.gluon import nn\nnn.Dense(2).params['dense30_weight']",
            Verdict.PROBABLY,
            Kind.DOUBT,
            "params['dense30_weight']",
            2,
        ),
        ("from mxnet import nd\nnd.arange(20).reshape((4, 4))", Verdict.ABSENT, Kind.ABSENT, "reshape()", 2),
        ("import numpy as np\nnp.ones((2, 3)).reshape(4, -1)", Verdict.ABSENT, Kind.ABSENT, "reshape()", 2),
        (
            "from mxnet import nd\nx = nd.array([[1, 2, 3], [-4, 5, 6.5]])\nx.reshape((1, 2, -2))",
            Verdict.ABSENT,
            Kind.ABSENT,
            "reshape()",
            3,
        ),
        ("import numpy as np\nnp.array([[1, 2], [3, 4]]).reshape(3)", Verdict.ABSENT, Kind.ABSENT, "reshape()", 2),
        (
            "import numpy as np\nnp.loadtxt('https://x.org/t.csv')",
            Verdict.NEEDS,
            Kind.DOWNLOAD,
            "numpy.loadtxt('https://x.org/t.csv')",
            2,
        ),
        ("import pdb\npdb.set_trace()", Verdict.NEEDS, Kind.ARGUMENTS, "pdb.set_trace()", 2),
        ("breakpoint()", Verdict.NEEDS, Kind.ARGUMENTS, "breakpoint()", 1),
        ("import sqlite3\nsqlite3.connect('of_tests.db')", Verdict.PROBABLY, Kind.DOUBT, "sqlite3.connect()", 2),
        ("from mxnet.test_utils import *\nget_mnist()", Verdict.NEEDS, Kind.DOWNLOAD, "test_utils.get_mnist()", 2),
        (
            "import mxnet as mx\np.add_argument('--cpu', action='store_true')\nmx.cpu() if args.cpu else mx.gpu()",
            Verdict.NEEDS,
            Kind.GPU,
            "gpu()",
            3,
        ),
        ("for i in range(y / 2): pass", Verdict.PYTHON2, Kind.PYTHON2, "range(x / y)", 1),
        ("def g(x):\n  half = x / 2\n  return range(half + 1)", Verdict.PYTHON2, Kind.PYTHON2, "range(x / y)", 3),
        (
            "import mxnet as mx\ndef g(k, pad=1):\n  return pad\n"
            "def c(k):\n  pad = [(n - 1) / 2 for n in k]\n  return mx.sym.Convolution(y, kernel=k, pad=pad)",
            Verdict.PYTHON2,
            Kind.PYTHON2,
            "sym.Convolution(x / y)",
            6,
        ),
        ("from mxnet.gluon import nn\nnn.Conv2D(y / 2, 3)", Verdict.PYTHON2, Kind.PYTHON2, "nn.Conv2D(x / y)", 2),
        ("half = y / 2\nprint(b[:half])", Verdict.PYTHON2, Kind.PYTHON2, "[x / y:]", 2),
        ("from mxnet import nd\nsave_dict = nd.load('n.params')", Verdict.NEEDS, Kind.FILE, "n.params", 2),
        ("from mxnet import nd\nnd.zeros(y + 1, f + 1)", Verdict.ABSENT, Kind.ABSENT, "nd.zeros()", 2),
        ("from mxnet import nd\nx = nd.ones(3)\nx.backwards()", Verdict.ABSENT, Kind.ABSENT, "x.backwards", 3),
        (
            "from mxnet.gluon import nn\nlayer = None\nlayer = nn.MaxPool2D(3)\nlayer(y, (2, 2))",
            Verdict.ABSENT,
            Kind.ABSENT,
            "layer()",
            4,
        ),
        ("import numpy as np\nnp.quux(3)", Verdict.ABSENT, Kind.ABSENT, "numpy.quux", 2),
        ("from itertools import quux", Verdict.ABSENT, Kind.ABSENT, "itertools.quux", 1),
        ("import matplotlib.pyplot as plt\nplt.quux()", Verdict.ABSENT, Kind.ABSENT, "matplotlib.pyplot.quux", 2),
        (
            "import matplotlib.pyplot as plt\nz = plt.gca()\nz.set_xlimits(1)",
            Verdict.ABSENT,
            Kind.ABSENT,
            "z.set_xlimits",
            3,
        ),
        (OPERATOR.format(["output"], 1), Verdict.ABSENT, Kind.ABSENT, "out_data[1]", 4),
        ("def g(a): pass\ng(1, 2)", Verdict.ABSENT, Kind.ABSENT, "g()", 2),
        ("def g(a): pass\ng(1, c=2)", Verdict.ABSENT, Kind.ABSENT, "g()", 2),
        ("class C:\n  def __init__(self, a): pass\nC()", Verdict.ABSENT, Kind.ABSENT, "C()", 3),
        ("from mxnet import gluon\ngluon.Trainer({}, y, lr=1)", Verdict.ABSENT, Kind.ABSENT, "gluon.Trainer()", 2),
        ("import os\nfor x in os.listdir(p): pass", Verdict.PROBABLY, Kind.DOUBT, "os.listdir()", 2),
        ("import os\nhere = 'in'\nopen(os.path.join(here, 'x'))", Verdict.NEEDS, Kind.FILE, "in/x", 3),
        ("here = 'in'\nopen(f'{here}/x')", Verdict.NEEDS, Kind.FILE, "in/x", 2),
        ("import mxnet as mx\nmx.io.CSVIter(data_csv=p)", Verdict.PROBABLY, Kind.DOUBT, "io.CSVIter()", 2),
        ("import glob\nglob.glob('in/*.jpg')", Verdict.NEEDS, Kind.FILE, "in", 2),
        (r"f(r'E:\data\train.txt')", Verdict.NEEDS, Kind.FILE, r"E:\data\train.txt", 1),
        ("import os\nassert os.path.exists('in/x')", Verdict.NEEDS, Kind.FILE, "in/x", 2),
        ("import os\nassert os.path.isdir(p)", Verdict.PROBABLY, Kind.DOUBT, "path.isdir()", 2),
        ("import os\nprint(os.environ['NO_SUCH'])", Verdict.NEEDS, Kind.ARGUMENTS, "os.environ['NO_SUCH']", 2),
        ("import importlib\nimportlib.import_module(p)", Verdict.PROBABLY, Kind.DOUBT, "importlib.import_module()", 2),
        ("import os\nos.system(p)", Verdict.PROBABLY, Kind.DOUBT, "os.system()", 2),
        ("import sys\nwords = sys.argv\nprint(words[1])", Verdict.NEEDS, Kind.ARGUMENTS, "sys.argv[1]", 3),
        ("open('log/x.txt', 'w')", Verdict.NEEDS, Kind.FILE, "log/", 1),
        ("f.save_parameters('log/x.params')", Verdict.NEEDS, Kind.FILE, "log/", 1),
        ("import mxnet as mx\nmx.callback.do_checkpoint('log/net', 1)", Verdict.NEEDS, Kind.FILE, "log/", 2),
        ("print 'a'", Verdict.PYTHON2, Kind.PYTHON2, "print", 1),
        ("x = 1\nxrange(3)", Verdict.PYTHON2, Kind.PYTHON2, "xrange", 2),
        ("import cPickle as pickle", Verdict.PYTHON2, Kind.PYTHON2, "import cPickle", 1),
        ("d = {}\nd.iteritems()", Verdict.PYTHON2, Kind.PYTHON2, ".iteritems()", 2),
        ("x = map(int, y)[0]", Verdict.PYTHON2, Kind.PYTHON2, "map()[...]", 1),
        ("import itertools as it\nit.izip(y, b)", Verdict.PYTHON2, Kind.PYTHON2, "itertools.izip", 2),
    ],
)
def test_what_stops_a_program_or_only_came_back_is_named(tmp_path, program, verdict, kind, what, line):
    assert found(tmp_path, program) == (verdict, [(kind, what, line)])


@pytest.mark.parametrize(
    "program",
    [
        "try:\n    import nonesuch\nexcept ImportError:\n    nonesuch = None",
        "try:\n    xrange\nexcept NameError:\n    xrange = range\nxrange(3)",
        "import sys\nif sys.version_info[0] == 2:\n    import cPickle as pickle\nelse:\n    import pickle",
        "import numpy as np\nint = np.int if hasattr(np, 'int') else int",
        "d = dict(a=1)\nd.append = 3\nd.append",
        "def reduce(f, x): return x\nreduce(None, [1])",
        "import mxnet as mx\nnd = 3\nprint(nd)",
        "f = open('made.txt', 'w')\nopen('made.txt')",
        "'''Reads data/train.rec'''\np.add_argument('--save', default='out/net.params')",
        "p.add_argument('--gpus', default='')\nimport mxnet as mx\nctx = mx.gpu() if gpus else mx.cpu()",
        "x = [1]\nx.sort(); x.append(2); x.index(1)",
        "from os.path import *\nprint(join('a', 'b'))",
        "from d2l import mxnet as d2l\nd2l.set_figsize()",
        "[print(name) for name in 'abc']",
        "print(len(dict(k=1).keys()))",
        "import os\nif os.path.exists('x.params'):\n    print('there')",
        "def g(a, *rest, c=1): pass\ng(1, 2, 3, c=4)\ng(*y)\ng(1, **k)",
        "class A: pass\nclass C(A):\n  def __init__(self, a): pass\nC(1, 2)",
        "def g():\n  return z\nz = 1\ng()",
        "for i in range(3):\n  n = i\n  n = n + 1\nn += 1",
        "import mxnet as mx\nwith mx.autograd.record() as n:\n  n = n",
        "for i in range(3):\n  if i == 0:\n    n = 1\n  n = n + 1",
        "for i in range(3):\n  n = i if i == 0 else n + 1\n  k = i == 0 or k > 1",
        "for i in range(int(y / 2), len(y) // 3): pass",
        "from mxnet import nd\nnd.arange(20).reshape((5, -1))\nnd.ones((2, 4)).reshape(-1, 0)\nnd.arange(y).reshape(2)",
        "from mxnet import nd\nx = nd.array([[1, 2, 3], [4, 5, 6]])\nx.reshape((-2, 1))\nx.reshape(0, 3)",
        "from mxnet import nd\nx = nd.array([1, 2])\nx = nd.array([1, 2, 3])\nx.reshape(3, 1)",
        "from mxnet import nd\nx = nd.array([1, 2])\ndef g(x):\n  return x.reshape(3)",
        "import pdb\nif y:\n  pdb.set_trace()",
        "from mxnet import nd\nx = nd.ones(3, y)\nx.grad.asnumpy()\nx.note = 3\nprint(x.note)",
        "from mxnet import nd\nx = nd.ones(3)\ndef g(x):\n  return x.own",
        "from mxnet.gluon import nn\nlayer = nn.Dense(3)\nlayer(y)\nlayer = print\nlayer(1, 2)",
        "from mxnet.gluon import nn\nlayer = nn.Dense(3)\nif y:\n  layer = print\nlayer(1, 2)",
        "from mxnet.gluon import nn\nlayer = nn.Dense(3)\nfor i in range(2):\n  layer(1, 2)\n  layer = print",
        OPERATOR.format(["output"], 0),
        OPERATOR.format(["output", "other"], 1),
        "import d2l.mxnet, d2lzh.utils\nfrom d2l.mxnet import try_gpu",
        "import sqlite3\nsqlite3.connect(':memory:')",
        "import numpy as np\nnp.linalg.norm(y); np.random.RandomState(3).rand(2); np.ndarray.quux",
        "import numpy as np\nnp.quux = 3\nprint(np.quux)\nif hasattr(np, 'quuux'):\n  np.quuux()",
        "import matplotlib, mpl_toolkits\nprint(matplotlib.pyplot.cm.jet, matplotlib.animation)",
        "import matplotlib.pyplot as plt\nz = plt.gca()\nz.xaxis.set_visible(0)\nz.mine = 3\nz.mine",
        "import matplotlib.pyplot as plt\nz = plt.imread(__file__)\nz.astype('f').mean()",
        "import matplotlib.pyplot as plt\nz = plt.gca()\ndef g(z):\n  z.quux()",
        "from mxnet.ndarray import *\nprint(ones((2, 3)), abs(zeros(2)), open(__file__))",
        "import mxnet\np.add_argument('--cpu', action='store_true')\nz=mxnet.gpu() if mxnet.context.num_gpus() else 0",
        "half = y / 2\nhalf = 3\nfor i in range(half): pass",
        "def g(half): return range(half)\nhalf = y / 2",
        "import mxnet as mx\nmx.sym.Variable('x', shape=(y / 2, 3))",
        "half = y / 2\ndef g():\n  half = 3\n  return b[half:]",
        "half = y / 2\ndef g():\n  global half\n  half = 3\nprint(b[half:])",
        "from mxnet.gluon import nn\nnn.Conv2D(y // 2, int(y / 2), padding=(1, 1)); nn.Dropout(y / 2)",
        "from mxnet.gluon import nn\nnn.MaxPool2D(3, 2, 1); nn.AvgPool2D(padding=1); nn.MaxPool2D(f, padding=k)",
        "from mxnet.gluon import nn\nnet = nn.Dense(2)\nnet.params['dense0_weight']",
        "for i in range(3):\n  if i:\n    print(total)\n  total = i",
        "def g():\n  global z\n  z = 1\ng()\nprint(z)",
        "def g():\n  def h():\n    return w\n  w = 1",
        "import os\nos.makedirs('log')\nopen('log/x.txt', 'w')",
        "import sys\nif len(sys.argv) > 1:\n  print(sys.argv[1])",
        "here = '.'\nopen(here + '/one.py')",
        "import os\nos.environ['MADE'] = '1'\nprint(os.environ['MADE'], os.environ.get('NO_SUCH'))",
        "import os\nos.system('true')",
        "import io, numpy as np\nnp.load(io.BytesIO(b''))",
        "from mxnet import nd\nnd.FullyConnected(y, f, num_hidden=3, no_bias=True, name='x', out=k)",
    ],
)
def test_what_a_program_provides_for_does_not_count(tmp_path, program):
    assert found(tmp_path, program) == (Verdict.RUNS, [])


def test_a_handler_that_raises_again_provides_for_nothing(tmp_path):
    text = "try:\n    import nonesuch\nexcept ImportError:\n    raise ImportError('pip install nonesuch')"
    assert found(tmp_path, text)[0] is Verdict.NEEDS


def test_a_gpu_by_default_of_the_command_line_is_named(tmp_path):
    text = """
        import mxnet as mx
        p.add_argument("--gpus", default="0")
        ctx = [mx.gpu(int(i)) for i in args.gpus.split(",")] if args.gpus else mx.cpu()
    """
    (result,) = examined(tmp_path, one=text).values()
    assert [(finding.kind, finding.instead) for finding in result.findings] == [
        (Kind.GPU, "--gpus requests a GPU by default")
    ]


def test_a_gpu_that_a_constant_asks_for_is_named(tmp_path):
    choice = "import mxnet as mx\nuse_gpu = {}\nctx = [mx.gpu(0)] if use_gpu else [mx.cpu()]"
    assert found(tmp_path, choice.format(True)) == (Verdict.NEEDS, [(Kind.GPU, "gpu()", 3)])
    assert (
        found(tmp_path, choice.format("True").replace("=", ", k =", 1).replace("True", "True, 1"))[0] is Verdict.NEEDS
    )
    assert found(tmp_path, choice.format(False)) == (Verdict.RUNS, [])
    in_doubt = (Verdict.PROBABLY, [(Kind.DOUBT, "gpu()", 4)])
    assert found(tmp_path, choice.format("True\nuse_gpu = f(use_gpu)")) == in_doubt
    assert found(tmp_path, choice.format("True").replace("if use_gpu", "if mx.context.num_gpus()"))[0] is Verdict.RUNS


def test_a_window_needs_an_opencv_that_shows_windows(tmp_path, monkeypatch):
    for shown, expected in ((True, []), (False, [(Kind.PACKAGE, "opencv-python", 2)])):
        monkeypatch.setattr(facts, "has_windows", lambda shown=shown: shown)
        monkeypatch.setattr(facts, "is_there", lambda _: True)
        assert found(tmp_path, "import cv2\ncv2.imshow('picture', y)")[1] == expected


@pytest.mark.parametrize(
    ("installed", "expected"),
    [([], True), (["opencv-python-headless"], False), (["opencv-python-headless", "opencv-contrib-python"], True)],
)
def test_an_opencv_without_windows_is_known_by_its_distribution(monkeypatch, installed, expected):
    def version(name):
        if name not in installed:
            raise facts.importlib.metadata.PackageNotFoundError(name)
        return "5.0"

    monkeypatch.setattr(facts.importlib.metadata, "version", version)
    facts.has_windows.cache_clear()
    try:
        assert facts.has_windows() is expected
    finally:
        facts.has_windows.cache_clear()


def test_a_program_of_graphviz_and_a_library_of_pandas_are_named(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    text = "import mxnet as mx\nmx.viz.plot_network(y).view()"
    assert found(tmp_path, text) == (Verdict.NEEDS, [(Kind.PACKAGE, "dot", 2)])
    monkeypatch.setattr(facts, "is_there", lambda module: module != "xlrd")
    (tmp_path / "x.xls").touch()
    text = "import pandas as pd\npd.read_excel('x.xls')"
    assert found(tmp_path, text) == (Verdict.NEEDS, [(Kind.PACKAGE, "xlrd", 2)])


def test_a_doubt_in_a_module_of_the_programs_own_counts_where_its_function_is_used(tmp_path):
    results = examined(
        tmp_path, train="from data import load\nload(y)", other="from data import more\nmore()",
        data="def load(name):\n    return open(name)\ndef more(): pass",
    )  # fmt: skip
    assert results["train"].verdict is Verdict.PROBABLY
    assert [(finding.what, finding.through) for finding in results["train"].findings] == [("open()", "data.py")]
    assert results["other"].verdict is Verdict.RUNS


def test_a_file_in_a_folder_above_is_there_for_programs_that_run_in_it(tmp_path):
    results = examined(
        tmp_path,
        **{"data/__init__": "", "show": "from tools import data\ndata.load()", "tools/__init__": "",
           "tools/data": "def load():\n    open('data/__init__.py')\n", "tools/alone": "open('data/__init__.py')"},
    )  # fmt: skip
    assert results["show"].verdict is Verdict.RUNS
    [finding] = results["tools/alone"].findings
    assert (finding.kind, finding.what, finding.instead) == (Kind.FILE, "data/__init__.py", "run the program in ..")


def test_a_module_beside_a_folder_of_its_name_is_the_module(tmp_path):
    results = examined(tmp_path, train="import data\ndata.load(y)", data="def load(name): return open(name)",
                       **{"data/clean": ""})  # fmt: skip
    assert [(f.kind, f.through) for f in results["train"].findings] == [(Kind.DOUBT, "data.py")]


def test_a_program_in_a_package_whose_imports_are_relative_runs_only_as_a_module(tmp_path):
    main = "from . import part\nif __name__ == '__main__':\n    print(part)"
    results = examined(tmp_path, use="import p.main", **{"p/__init__": "", "p/part": "", "p/main": main})
    [finding] = results["p/main"].findings
    assert (finding.kind, finding.what, finding.line) == (Kind.FOLDER, ".part", 1)
    assert results["use"].verdict is Verdict.RUNS


def test_a_program_that_others_import_needs_the_folders_of_its_own_modules(tmp_path):
    main = "import tools\nif __name__ == '__main__':\n    print(tools)"
    results = examined(tmp_path, use="import data.load", tools="", **{"data/__init__": "", "data/load": main})
    assert [(f.kind, f.what) for f in results["data/load"].findings] == [(Kind.FOLDER, "tools")]
    assert results["use"].verdict is Verdict.RUNS


def test_what_to_use_instead_comes_from_the_table_of_what_is_absent(tmp_path):
    (result,) = examined(tmp_path, one="from mxnet.executor_manager import DataParallelExecutorManager").values()
    assert result.findings[0].instead.endswith("Use mx.mod.Module.")


def test_every_name_of_the_table_is_found_in_a_program(tmp_path):
    from d2lhybrid.internals.support.absent import ABSENT

    names = [(module, name) for group in ABSENT for module in group.modules for name in group.names if name != "*"]
    lines = [f"mx.{'.'.join(filter(None, (module, name)))}" for module, name in names]
    (result,) = examined(tmp_path, one="\n".join(["import mxnet as mx", *lines])).values()
    known = {finding.what for finding in result.findings}
    missed = [line for line in lines if line not in known and f"mx.{line.split('.')[1]}" not in known]
    assert len(known) > 60 and not [line for line in missed if _is_in_mxnet(line) and not _is_in_mxnet(line, known)]


def _is_in_mxnet(line, known=frozenset()):
    """Return whether MXNet has a name there; groups name modules in which it has only some of the names."""
    from surface.compare import recorded

    module, _, name = line.removeprefix("mx.").rpartition(".")
    return name in recorded().get(module, ()) if not known else any(line.startswith(one) for one in known)


def test_a_module_of_the_programs_own_stops_it_where_its_line_is_reached(tmp_path):
    results = examined(
        tmp_path,
        train="import helper\nfrom tools import data\nhelper.begin()",
        helper="def begin():\n    import cPickle\ndef other():\n    xrange(3)",
        alone="import helper",
        **{"tools/__init__": "", "tools/data": "import nonesuch\nimport far"},
    )
    named = {(finding.what, finding.through) for finding in results["train"].findings}
    assert named == {("import cPickle", "helper.py"), ("nonesuch", "data.py"), ("far", "data.py")}
    assert results["train"].verdict is Verdict.PYTHON2
    assert results["alone"].verdict is Verdict.RUNS


def test_a_name_that_a_module_of_the_programs_own_does_not_define_is_named(tmp_path):
    results = examined(
        tmp_path,
        train="import helper\nfrom helper import begin, finish\nhelper.begin()\nhelper.nonesuch()",
        chosen="from options import train, other\nfrom tools import data, plot, one",
        loosely="from loose import anything\nimport loose\nloose.anything()",
        adding="import helper\nhelper.added = 1\nprint(helper.added)",
        optional="try:\n    from helper import finish\nexcept ImportError:\n    finish = None",
        helper="def begin(): pass",
        loose="from os.path import *",
        **{"options/train": "", "tools/__init__": "from .plots import one", "tools/data": "", "tools/plots": "one = 1"},
    )
    named = {name: {finding.what for finding in result.findings} for name, result in results.items()}
    assert named["train"] == {"helper.finish", "helper.nonesuch"}
    assert named["chosen"] == {"options.other", "tools.plot"}
    assert named["loosely"] == named["adding"] == named["optional"] == set()
    assert results["train"].findings[0].instead == "helper.py does not define it"


def test_a_module_in_a_folder_above_needs_that_folder_on_the_path(tmp_path):
    files = {"common": "x = 1", "tools/show": "import common\nfrom common import x", "tools/data": "import common"}
    files |= {"train": "from tools import data", "tools/found": "import sys\nsys.path.append('..')\nimport common"}
    results = examined(tmp_path, **files)
    (finding,) = results["tools/show"].findings
    assert (finding.kind, finding.what, finding.line) == (Kind.FOLDER, "common", 1)
    assert finding.instead == "PYTHONPATH=. d2lhybrid run tools/show.py"
    assert results["tools/show"].verdict is Verdict.NEEDS
    assert {results[name].verdict for name in ("train", "tools/data", "tools/found")} == {Verdict.RUNS}
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}."}  # what it says works
    command = [sys.executable, "-m", "d2lhybrid", "run", "tools/data.py"]
    assert not subprocess.run(command, cwd=tmp_path, env=environment, check=False).returncode


def test_a_notebook_needs_the_folder_of_its_modules_and_takes_a_book_from_this_package(tmp_path):
    results = examined(
        tmp_path,
        helper="",
        **{"d2lzh/__init__": "from .utils import *", "d2lzh/utils": "def quux(): pass\ndef sgd(): pass"},
        **{"chapter/one": ["import helper"], "chapter/two": ["import d2lzh\nd2lzh.quux()"]},
        **{"chapter/three": ["import d2lzh\nd2lzh.sgd"], "four": ["import d2lzh\nd2lzh.quux()"]},
    )
    said = {name: (result.verdict, [finding.what for finding in result.findings]) for name, result in results.items()}
    assert said["chapter/one"] == (Verdict.NEEDS, ["helper"])
    assert said["chapter/two"] == (Verdict.ABSENT, ["d2lzh.quux"])
    assert said["chapter/three"] == said["four"] == (Verdict.RUNS, [])


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        ("import os, sys\nsys.path.append(os.path.join(os.path.dirname(__file__), '..', 'nets'))", "nets"),
        ("import sys\nsys.path.insert(0, '../nets')", "nets"),
        (
            "import sys\nfrom pathlib import Path\nsys.path += [str(Path(__file__).resolve().parents[1] / 'nets')]",
            "nets",
        ),
        (
            "import sys\nimport os.path as o\nhere = o.dirname(__file__)\nsys.path.insert(0, here + '/../nets')",
            "nets",
        ),
        ("import find", "nets"),
        ("import sys\nsys.path[:0] = ['..', '../nets']", ""),
        ("import sys, os\nsys.path.append(os.getcwd() + '/../nets')\nsys.path.append(os.environ['NETS'])", ""),
    ],
)
def test_a_module_that_no_added_folder_has_is_named(tmp_path, lines, wanted):
    """An added folder has ``factory``, which imports ``nets`` by the name of its folder: from the folder above."""
    files = {"nets/__init__": "", "nets/factory": "from nets import parts", "nets/parts": ""}
    files["tools/find"] = "import os, sys\nsys.path.append(os.path.join(os.path.dirname(__file__), os.pardir, 'nets'))"
    results = examined(tmp_path, **files, **{"tools/show": f"{lines}\nimport factory"})
    named = [finding for finding in results["tools/show"].findings if finding.kind is Kind.FOLDER]
    assert "".join(finding.what for finding in named) == wanted
    if wanted:
        assert named[0].instead == "PYTHONPATH=. d2lhybrid run tools/show.py"
        assert named[0].through == "factory.py"
    alone = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "d2lhybrid", "run", "show.py"]
    ended = subprocess.run(command, cwd=tmp_path / "tools", env=alone, check=False, capture_output=True, text=True)
    assert bool(wanted) == ("No module named 'nets'" in ended.stderr)  # as told


def test_an_import_that_a_module_can_do_without_needs_no_folder(tmp_path):
    either = "try:\n    import parts\nexcept ImportError:\n    from . import parts"
    results = examined(tmp_path, train="from nets import build", **{"nets/build": either, "nets/parts": ""})
    assert results["train"].verdict is Verdict.RUNS


def test_an_import_that_only_python_2_finds_beside_a_module_is_named(tmp_path):
    results = examined(
        tmp_path,
        run="from symbols import net",
        **{"symbols/__init__": "", "symbols/net": "import common", "symbols/common": ""},
    )
    assert [finding.what for finding in results["run"].findings] == ["import common"]
    assert results["symbols/net"].verdict is Verdict.RUNS


def test_a_module_named_like_mxnet_in_a_package_is_none_of_its_imports(tmp_path):
    results = examined(
        tmp_path,
        run="from book import mxnet as d2l\nd2l.f()",
        **{
            "book/__init__": "",
            "book/mxnet": "import mxnet as mx\nimport json\ndef f(): mx.nd.ones(3)",
            "book/json": "",
        },
    )
    assert [(result.verdict, result.findings) for result in results.values()] == [(Verdict.RUNS, [])] * 4


# --- notebooks ----------------------------------------------------------------------------------------------------

CELLS = [
    "%matplotlib inline\nimport mxnet as mx, numpy as np\n!pip install foo\n",
    "%%bash\nls (",
    "%%time\nx = np.float(3)\nprint('%d' \\\n  % 3)\nfiles = !ls\nmx.nd.relu?\n",
]


def test_lines_of_a_notebook_are_those_of_its_cells(tmp_path):
    (result,) = examined(tmp_path, one=CELLS).values()
    assert result.verdict is Verdict.HABITS
    assert [result.place(finding) for finding in result.findings] == ["cell 3, line 2"]


def test_a_notebook_that_fetches_says_so(tmp_path):
    (result,) = examined(tmp_path, one=["!wget http://x\n"]).values()
    assert [finding.kind for finding in result.findings] == [Kind.DOWNLOAD]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.ipynb", b"{", "The notebook is broken"),
        ("a.ipynb", b'{"cells": 3}', "its cells are missing or malformed"),
        ("a.ipynb", b"\xff\xfe", "not in UTF-8"),
        (
            "a.ipynb",
            notebook(["x <- 3"], kernelspec={"language": "R"}).encode(),
            "The notebook is written in R, not in Python.",
        ),
        ("a.py", "# 中文\n".encode("gbk"), "encoding of the file is unknown or declared incorrectly"),
        ("a.py", b"x = 1\0", "not text"),
        ("a.py", b"def f(:\n", "not Python (line 1)"),
        ("a.py", b"# -*- coding: nonesuch -*-\n", "encoding of the file is unknown or declared incorrectly"),
    ],
)
def test_what_cannot_be_read_is_a_line_of_the_table(tmp_path, name, data, said):
    (tmp_path / name).write_bytes(data)
    (result,) = examine_folder(tmp_path)
    assert result.verdict is Verdict.UNREADABLE and said in result.findings[0].what


def test_other_encodings_are_read_as_they_say(tmp_path):
    (tmp_path / "a.py").write_bytes("# -*- coding: gbk -*-\nprint '中文'\n".encode("gbk"))
    (result,) = examine_folder(tmp_path)
    assert result.verdict is Verdict.PYTHON2 and "中文" in result.text
    assert patch_of([result], tmp_path) == ("", [])  # a patch has one encoding


# --- Python 2 -----------------------------------------------------------------------------------------------------

PYTHON2 = """\
print "a", b; print "c",
print
print >>sys.stderr, "x %s" % (1,
   2)
print ("a"), b
if x: print "a" # print "b"
def f():
\tprint 'tab'
        print "spaces"
try:
    pass
except (A, B), e: raise ValueError, "x"
x = `y` + 10L + 0777 + 0.7
if a <> b: exec code in ns
s = ur"a'b" + 'print "c"' + '''
print "d"
'''
d = {1: lambda: 3, 2: 4}
"""
PYTHON3 = """\
print("a", b); print("c", end=" ")
print()
print("x %s" % (1,
   2), file=sys.stderr)
print(("a"), b)
if x: print("a") # print "b"
def f():
        print('tab')
        print("spaces")
try:
    pass
except (A, B) as e: raise ValueError("x")
x = repr(y) + 10 + 0o777 + 0.7
if a != b: exec(code, ns)
s = r"a'b" + 'print "c"' + '''
print "d"
'''
d = {1: lambda: 3, 2: 4}
"""


def test_statements_of_python_2_are_rewritten_where_they_stand():
    parsed = parse_any(PYTHON2)
    assert parsed.text == PYTHON3
    assert {1, 3, 4, 12, 13} <= set(parsed.rewritten) and 16 not in parsed.rewritten


@pytest.mark.parametrize("text", ["print('a')\n", "print = 3\n", "x = '''\nprint 1\n'''\n", "raise E(1, 2)\n"])
def test_programs_of_today_are_left_alone(text):
    assert parse_any(text).text == text


@pytest.mark.parametrize("text", ["def f((a, b)): pass\n", "print 'a' 'b\n", "class:\n", "(" * 300])
def test_what_is_no_python_or_cannot_be_rewritten_is_refused(text):
    with pytest.raises(SyntaxError):
        parse_any(text)


# --- repairs ------------------------------------------------------------------------------------------------------

OLD = """\
# 中文
import collections, time
from collections import Iterable, OrderedDict
import numpy as np
import cPickle as pickle, urllib2
print '中文', np.int(3), np.Inf, time.clock(); isinstance(x, collections.Mapping)
np.histogram(x, normed=True)
for k in d.iteritems(): d.has_key(k); d.keys()[0]
reduce(f, xrange(3)); range((3) / len(x), 2); x[f(1 / 2) / 2 - 1:]
a = np.zeros(3).tostring(); q = np.find_common_type([a], [b])
def _():
    global b, d, f, x
    b = d = f = x = None
"""
NEW = """\
# 中文
from functools import reduce
import collections, time
from collections.abc import Iterable
from collections import OrderedDict
import numpy as np
import pickle, urllib.request as urllib2
print('中文', int(3), np.inf, time.perf_counter()); isinstance(x, collections.abc.Mapping)
np.histogram(x, density=True)
for k in d.items(): d.__contains__(k); list(d.keys())[0]
reduce(f, range(3)); range((3) // len(x), 2); x[f(1 / 2) // 2 - 1:]
a = np.zeros(3).tobytes(); q = np.find_common_type([a], [b])
def _():
    global b, d, f, x
    b = d = f = x = None
"""


def test_the_patch_repairs_what_is_mechanical(tmp_path):
    assert repaired(tmp_path, OLD) == NEW
    ast.parse(NEW)


def test_what_was_repaired_needs_no_repair(tmp_path):
    write(tmp_path, one=NEW)
    (result,) = examine_folder(tmp_path)
    assert [finding.what for finding in result.findings] == ["numpy.find_common_type"]
    assert patch_of([result], tmp_path) == ("", [])


def test_imports_that_only_python_2_finds_become_relative(tmp_path):
    write(
        tmp_path,
        run="from nets import build\nprint(build.size)",
        **{
            "nets/__init__": "from parts import x\n",
            "nets/build": "import parts, more as m\nfrom more import y as z\nimport os\nsize = parts.x + m.y + z\n",
            "nets/parts": "x = 1\n",
            "nets/more": "y = 3\n",
            "tools/__init__": "",
            "tools/show": "import kept\n",
            "tools/kept": "import parts\n",
            "tools/parts": "",
            "look": "from tools import kept\n",
        },
    )
    patch, changed = patch_of(examine_folder(tmp_path), tmp_path)
    # A program beside a module imports it as it is.
    assert {path.relative_to(tmp_path).as_posix() for path in changed} == {"nets/__init__.py", "nets/build.py"}
    run_patch("-p1", folder=tmp_path, patch=patch)
    done = subprocess.run([sys.executable, "run.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "7\n", done.stderr


def test_a_notebook_is_repaired_in_its_cells(tmp_path):
    cells = ["%matplotlib inline\nimport numpy as np\n", "print np.int(3),\\\n  '文'\n!ls\n"]
    assert repaired(tmp_path, cells) == notebook(
        ["%matplotlib inline\nimport numpy as np\n", "print(int(3), \\\n  '文')\n!ls\n"]
    )


def test_ends_of_lines_and_of_the_file_stay(tmp_path):
    (tmp_path / "a.py").write_bytes(b"print 1\r\nx = 2\r\nprint 3")
    patch, _ = patch_of(examine_folder(tmp_path), tmp_path)
    run_patch("-p1", "--binary", folder=tmp_path, patch=patch)
    assert (tmp_path / "a.py").read_bytes() == b"print(1)\r\nx = 2\r\nprint(3)"


# --- the command --------------------------------------------------------------------------------------------------


def port(folder, *words):
    """Run the command as a user does."""
    command = [sys.executable, "-m", "d2lhybrid", "port", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)


def test_the_table_the_page_the_data_and_the_patch(tmp_path):
    folder = write(tmp_path / "old", a=LOUD + "import mxnet, numpy as np\nnp.int(3)", c=USUAL, **{"sub/b": "print 'b'"})
    done = port(tmp_path, "old", "--html", "page.html", "--json", "all.json", "--fix", "old.patch")
    assert done.returncode == 0, done.stderr
    assert done.stdout == textwrap.dedent("""\
        a.py      runs with restored names
            numpy.int  (line 3), today: int
        c.py      runs unchanged
        sub/b.py  is for Python 2
            print  (line 1), today: print(x)

        3 programs and notebooks:
          1  runs unchanged
          1  runs with restored names
          1  is for Python 2
        1 of them do not import MXNet themselves.
    """)
    assert done.stderr.startswith("A patch for 2 files: old.patch. Review it, then run: cd old && patch -p1 < ")
    data = json.loads((tmp_path / "all.json").read_text("utf-8"))
    assert [p["verdict"] for p in data["programs"]] == ["runs, on habits", "runs", "is for Python 2"]
    assert data["programs"][0]["findings"][0]["repaired"] is True
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "sub/b.py" in page and "today: print(x)" in page and "http" not in page.replace("<!doctype html>", "")
    run_patch("-p1", "-i", str(tmp_path / "old.patch"), folder=folder)
    assert (folder / "sub" / "b.py").read_text("utf-8") == "print('b')"


def test_what_python_warns_of_in_a_program_hides_no_finding_and_is_not_printed(tmp_path):
    write(tmp_path, one="print(nonesuch, '\\d')\nxrange(3)\nprint 1")
    command = [sys.executable, "-W", "always", "-m", "d2lhybrid", "port", tmp_path, "--fix", tmp_path / "one.patch"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "nonesuch" in done.stdout and "range(3)" in (tmp_path / "one.patch").read_text("utf-8")
    assert "Warning" not in done.stderr


def test_names_in_the_page_are_escaped(tmp_path, capsys):
    write(tmp_path, **{"<b>": "import x_y"})
    assert main(["port", str(tmp_path), "--html", str(tmp_path / "p.html")]) == 0
    assert "&lt;b&gt;.py" in (tmp_path / "p.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere"], "There is no folder nowhere."),
        (["notes.txt"], "notes.txt is not a folder, a program or a notebook."),
        (["empty"], "empty contains no program and no notebook."),
        (["a.py", "--html", "nowhere/page.html"], "nowhere"),
        (["a.py", "--fix", "empty"], "empty"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(tmp_path, monkeypatch, capsys, words, said):
    (tmp_path / "empty").mkdir()
    write(tmp_path, notes="print 1").joinpath("notes.py").rename(tmp_path / "notes.txt")
    write(tmp_path, a="print 1")
    monkeypatch.chdir(tmp_path)
    assert main(["port", *words]) == 2
    captured = capsys.readouterr()
    assert said in captured.err and "Traceback" not in captured.err and not captured.out


def test_one_file_data_in_the_terminal_and_chinese(tmp_path, capsys):
    write(tmp_path, a="print 1")
    assert main(["port", str(tmp_path / "a.py"), "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["programs"][0]["path"] == "a.py"
    assert main(["port", str(tmp_path / "a.py"), "--lang", "zh"]) == 0
    assert capsys.readouterr().out.startswith("a.py  是为 Python 2 写的\n    print  (第 1 行)")


def test_a_folder_with_hundreds_of_findings_shows_five_of_each_program(tmp_path, capsys):
    write(tmp_path, a="\n".join(f"import nonesuch{i}" for i in range(9)))
    assert main(["port", str(tmp_path)]) == 0
    assert "and 4 more: --all shows them" in capsys.readouterr().out
    assert main(["port", str(tmp_path), "--all"]) == 0
    assert capsys.readouterr().out.count("is not installed") == 9
