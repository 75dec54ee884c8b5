"""Models exported by real MXNet load and give its outputs; built again, they are the same files."""

import atexit
import hashlib
import json
import shutil
import tempfile
from functools import cache
from pathlib import Path

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, nd, sym

from .models import BUILDERS, NP_BUILDERS, example
from .record_made_parameters import values

OWN = Path(__file__).parents[1] / "golden_data" / "models"
MODELS = {m["name"]: m for m in json.loads((OWN / "manifest.json").read_text(encoding="utf-8"))["models"]}

pytestmark = pytest.mark.filterwarnings("ignore:Cannot decide type:UserWarning")


each_model = pytest.mark.parametrize("name", MODELS)
each_built = pytest.mark.parametrize("name", [*BUILDERS, *NP_BUILDERS])


@pytest.fixture(autouse=True)
def semantics(name):
    if MODELS[name]["np"]:
        mx.util.set_np()
    yield
    mx.util.reset_np()


def path(file):
    """Return a file of a model: as it is kept, or for parameters that a formula gives, as MXNet wrote them."""
    name = file.removesuffix("-0000.params")
    return made(name) if "made" in MODELS.get(name, ()) else OWN / file


@cache
def made(name):
    """Write the parameters of a model, and return the file: it has the checksum of MXNet's."""
    folder = Path(tempfile.mkdtemp(prefix="d2lhybrid-models-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    shapes = [(name, tuple(map(int, shape.split("x")))) for name, shape in MODELS[name]["made"].items()]
    arrays = {f"arg:{parameter}": nd.array(values(i, shape)) for i, (parameter, shape) in enumerate(shapes)}
    nd.save(str(folder / "made.params"), arrays)
    assert hashlib.sha256((folder / "made.params").read_bytes()).hexdigest() == MODELS[name]["sha256"]
    return folder / "made.params"


def load(name, tmp_path):
    for suffix in ("symbol.json", "0000.params"):
        shutil.copy(path(f"{name}-{suffix}"), tmp_path / f"{name}-{suffix}")
    model = MODELS[name]
    net = gluon.SymbolBlock.imports(
        str(tmp_path / f"{name}-symbol.json"), model["input_names"], str(tmp_path / f"{name}-0000.params")
    )
    array = mx.np.array if model["np"] else nd.array
    raws = [numpy.load(path(f"{name}-input{i}.npy")) for i in range(model["n_inputs"])]
    return net, [array(raw, dtype=raw.dtype) for raw in raws]


def check_outputs(name, outputs):
    model = MODELS[name]
    outputs = outputs if isinstance(outputs, list | tuple) else [outputs]
    assert len(outputs) == model["n_outputs"]
    for i, output in enumerate(outputs):
        expected = numpy.load(path(f"{name}-output{i}.npy"))
        assert (output.shape, numpy.dtype(output.dtype)) == (expected.shape, expected.dtype)
        numpy.testing.assert_allclose(output.asnumpy(), expected, rtol=model["rtol"], atol=model["atol"])


@each_model
def test_outputs(name, tmp_path):
    net, inputs = load(name, tmp_path)
    check_outputs(name, net(*inputs))
    net.hybridize()
    check_outputs(name, net(*inputs))


@each_model
def test_names(name):
    symbol, model = sym.load(str(path(f"{name}-symbol.json"))), MODELS[name]
    assert symbol.list_arguments() == model["arguments"]
    assert symbol.list_auxiliary_states() == model["aux"]
    assert symbol.list_outputs() == model["outputs"]


@each_model
def test_the_graph_is_written_as_it_was_read(name):
    file = path(f"{name}-symbol.json")
    assert sym.load(str(file)).tojson() == file.read_bytes().decode()


@each_model
def test_a_loaded_model_exports_its_own_parameters(name, tmp_path):
    net, inputs = load(name, tmp_path)
    net.hybridize()
    net(*inputs)
    net.export(str(tmp_path / "again"))
    assert (tmp_path / "again-0000.params").read_bytes() == path(f"{name}-0000.params").read_bytes()
    assert (tmp_path / "again-symbol.json").read_bytes() == path(f"{name}-symbol.json").read_bytes()


@each_built
def test_the_net_built_again_exports_the_same_file(name, tmp_path):
    net, shapes = {**BUILDERS, **NP_BUILDERS}[name]()
    net.initialize()
    net.hybridize()
    net(*example(shapes))
    net.export(str(tmp_path / name))
    assert (tmp_path / f"{name}-symbol.json").read_bytes() == path(f"{name}-symbol.json").read_bytes()
    assert repr(net).split("(")[1:] == MODELS[name]["net_repr"].split("(")[1:]


@each_built
def test_the_net_built_again_gives_the_same_outputs(name, tmp_path):
    imported, inputs = load(name, tmp_path)
    net, _ = {**BUILDERS, **NP_BUILDERS}[name]()
    net.initialize()
    net(*inputs)
    values = {p.name: p.data() for p in imported.collect_params().values()}
    for parameter in net.collect_params().values():
        parameter.set_data(values[parameter.name])
    outputs = net(*inputs)
    check_outputs(name, [outputs[0], *outputs[1]] if name == "multi_io" else outputs)
