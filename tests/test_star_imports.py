"""``from mxnet.x import *``, and the private names that programs take from MXNet's modules."""

import subprocess
import sys

import pytest

#: A program of one module's star -> what it shows.
PROGRAMS = {
    "operators of symbols": (
        """
from mxnet.symbol import *
net = SoftmaxOutput(FullyConnected(Variable("data"), num_hidden=3, name="fc"), name="softmax")
print(net.list_arguments())""",
        "['data', 'fc_weight', 'fc_bias', 'softmax_label']",
    ),
    "operators of arrays": (
        """
from mxnet.ndarray import *
x: NDArray = array([0.0, 1.0])
print((1 / (1 + exp(-x))).shape, relu(x).sum().asscalar())""",
        "(2,) 1.0",
    ),
    "after one was used": (
        """
import mxnet as mx
mx.nd.tanh
from mxnet.nd import *
print(tanh(ones(1)).shape)""",
        "(1,)",
    ),
    "of a corner": (
        """
from mxnet.ndarray.contrib import *
print(box_iou.__name__, ROIAlign.__name__)""",
        "box_iou ROIAlign",
    ),
    "what comes along": (
        """
from mxnet.image import *
print(np.__name__, os.__name__, random.__name__, ImageIter.__name__, nd.ones(2).shape)""",
        "numpy os random ImageIter (2,)",
    ),
    "of tests": (
        """
from mxnet.test_utils import *
@use_np
def f():
    return mx.np.ones(2)
print(type(f()).__name__, np.ones(2).sum())""",
        "ndarray 2.0",
    ),
    "layers of another file": (
        """
from mxnet.gluon.nn.conv_layers import *
print(Conv2D(2, 3).name, MaxPool2D)""",
        "conv0",
    ),
    "nothing of NumPy's": ("from mxnet.numpy import *\nprint(abs is __builtins__.abs)", "True"),
    "without an import of its own": (
        "import mxnet as mx\nprint(mx.test_utils.use_np.__name__, mx.image.random.__name__)",
        "use_np random",
    ),
    "as an attribute": ("import mxnet.metric as m\nprint(m.numpy.__name__, m.math.__name__)", "numpy math"),
}


@pytest.mark.parametrize(("program", "shown"), PROGRAMS.values(), ids=PROGRAMS)
def test_a_star_gives_what_mxnets_gives(program, shown):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", f"import d2lhybrid; d2lhybrid.as_mxnet()\n{program}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(shown)


def test_a_star_gives_nothing_that_only_this_package_needs():
    program = (
        "import d2lhybrid; d2lhybrid.as_mxnet()\n"
        "from mxnet.ndarray import *\nfrom mxnet.symbol import *\n"
        "from mxnet.image import *\nfrom mxnet.io.io import *\n"
        "print(sorted({'Any', 'annotations', 'TYPE_CHECKING', 'invoke', 'backend', 'compose', 'wrap'} & {*globals()}))"
    )
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
