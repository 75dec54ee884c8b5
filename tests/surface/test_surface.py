"""Every public name of MXNet 1.9.1 is here or in the table of absent ones, and no name of the table is here."""

import json
import subprocess
import sys

import pytest

import d2lhybrid
from d2lhybrid.internals.support.absent import ABSENT, reason

from . import calls
from .compare import NAMES, Comparison, compare, find, recorded
from .differences import MEMBERS, PARAMETERS, WIDER
from .page import PAGE, with_section
from .record import LEFT_OUT
from .signatures import differs, here

RECORDED = NAMES.parent / "calls.json"

pytestmark = pytest.mark.filterwarnings("ignore")  # of names that are deprecated


@pytest.fixture(scope="module")
def found() -> Comparison:
    return compare()


def test_the_record_is_that_of_the_whole_library() -> None:
    assert len(recorded()) > 130 and {"", "gluon.nn", "ndarray.contrib", "numpy.random"} <= {*recorded()}
    assert recorded()["gluon.nn"]["Dense"][0] == "class" and "hybridize" in recorded()["gluon.nn"]["Dense"][2]


def test_every_name_is_here_or_in_the_table(found: Comparison) -> None:
    assert not [name for name in found.missing_names if not reason(*name)]


def test_no_name_of_the_table_is_here() -> None:
    here = [
        (module, name)
        for group in ABSENT
        for module in group.modules
        for name in group.names
        if name != "*" and find(module) is not None and hasattr(find(module), name)
    ]
    assert not here


def test_every_name_of_the_table_is_one_of_mxnet() -> None:
    unknown = [
        (group.what, name)
        for group in ABSENT
        for name in group.names
        if name != "*"
        and not any(
            name in recorded().get(module, ()) or recorded_nowhere(f"{module}.{name}") for module in group.modules
        )
    ]
    assert not unknown
    assert not [
        m
        for group in ABSENT
        for m in group.modules
        if m not in recorded() and f"contrib.{m}" not in recorded() and not recorded_nowhere(m)
    ]


def recorded_nowhere(name: str) -> bool:
    """Tell whether MXNet has something in a module that the record leaves out."""
    return any(f"mxnet.{name}.".startswith(f"{left_out}.") for left_out in LEFT_OUT)


def test_members_and_signatures_are_the_same_but_for_those_in_the_tables(found: Comparison) -> None:
    assert {member for *_, member in found.missing_members} == {*MEMBERS}
    assert {name for _, name, _ in found.other_signatures} == {*PARAMETERS, *WIDER}
    assert not PARAMETERS.keys() & WIDER.keys()


@pytest.mark.parametrize(
    ("theirs", "ours", "told"),
    [
        ("a, b=1", "a, b=1", ""),
        ("a, b=1", "a, c=1", "`c` in the place of `b`"),
        ("a, b=1", "b=1, a=2", "`b` in the place of `a`"),
        ("a, b=1", "a, b=2", "`b` is `2` and not `1`"),
        ("a, b=1", "a, b", "`b` is `required` and not `1`"),
        ("a, b", "a, b=2", ""),
        ("a", "a, b=1", "takes `b` by position, too"),
        ("a", "a, *, shown=1", ""),
        ("a", "a, *, hidden=1", "`hidden` is not documented"),
        ("a", "a, *, shown", "`shown` has to be given"),
        ("a, b=1", "a, *, b=1", "no `b` by position"),
        ("*a, **k", "*a, shown=1, **k", ""),
        ("*a, **k", "a, **k", "takes `a` by position, too"),
        ("**k", "*, shown=1", "no `**k`"),
        ("a, **k", "a, *b, **k", "takes any number of arguments by position"),
        ("a, *, b=1", "a, *, b=2", "`b` is missing or has another default"),
        ("a, *, b=1", "a, **k", "`b` is missing or has another default"),
    ],
)
def test_parameters_are_the_same_if_every_call_means_the_same(theirs: str, ours: str, told: str) -> None:
    theirs_and_ours = [here(eval(f"lambda {parameters}: None")) or [] for parameters in (theirs, ours)]
    assert differs(*theirs_and_ours, doc="The value shown.") == told


def test_calls_give_what_they_give_in_mxnet() -> None:
    program = "import d2lhybrid; d2lhybrid.as_mxnet()\nimport runpy, sys\nrunpy.run_path(sys.argv[1])['show']()"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program, calls.__file__], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(RECORDED.read_text("utf-8"))


def test_the_page_is_written_from_the_tables(found: Comparison) -> None:
    page = PAGE.read_text("utf-8")
    assert with_section(page, found) == page, "make surface"


@pytest.mark.parametrize(
    ("module", "name", "told"),
    [
        ("", "rtc", "compiled library, which d2lhybrid does not have"),
        ("executor_manager", "DataParallelExecutorManager", "mx.mod.Module"),
        ("contrib", "tensorrt", "which TensorRT reads"),
        ("ndarray.contrib", "quantize_asym", "nd.RNN"),
        ("symbol.contrib", "backward_quadratic", "autograd.record"),
        ("ndarray.op", "IdentityAttachKLSparseReg", "Use a loss that includes the penalty"),
        ("test_utils", "download_model", "model_zoo"),
    ],
)
def test_an_absent_name_says_what_to_use_instead(module: str, name: str, told: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(find(module), name)
    assert any(told in note for note in caught.value.__notes__)


def test_a_name_of_nobody_gets_no_such_note() -> None:
    with pytest.raises(AttributeError) as caught:
        _ = d2lhybrid.nonsense  # type: ignore[attr-defined]
    assert not getattr(caught.value, "__notes__", [])


SPELLINGS = [
    *("from mxnet.executor_manager import DataParallelExecutorGroup",),
    *("mx.nd.contrib.quantize_asym", "mx.sym.contrib.quantized_rnn", "mx.contrib.nd.quantize_asym"),
    *("from mxnet.ndarray.contrib import quantize_asym", "from mxnet.symbol.contrib import quantized_rnn"),
    *("from mxnet.contrib import tensorrt", "import mxnet.contrib.tensorrt", "mx.contrib.tensorrt.tensorrt_bind"),
    "from mxnet.contrib.tensorrt import tensorrt_bind",
    *("mx.rtc.CudaModule", "from mxnet import rtc", "import mxnet.rtc", "mx.library.load", "from mxnet import library"),
    *("mx.tvmop", "from mxnet import tvmop", "mx.th", "mx.torch", "import mxnet.torch", "mx.notebook"),
    *("mx.contrib.onnx.import_model", "from mxnet.contrib.onnx import import_to_gluon"),
    *("mx.nd.contrib.dgl_subgraph", "from mxnet.ndarray import IdentityAttachKLSparseReg"),
    *("getattr(mx.sym, 'IdentityAttachKLSparseReg')",),
]


def test_every_spelling_of_what_is_absent_says_so() -> None:
    program = """if True:
        import d2lhybrid; d2lhybrid.as_mxnet()
        import json, sys
        import mxnet as mx
        found = {}
        for line in json.loads(sys.argv[1]):
            try:
                exec(line)
            except (AttributeError, ImportError) as error:
                found[line] = "\\n".join([str(error), *getattr(error, "__notes__", [])])
        print(json.dumps(found))
    """
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program, json.dumps(SPELLINGS)],
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    assert [line for line in SPELLINGS if "MXNet has it, but d2lhybrid does not" not in found.get(line, "")] == []
    assert all(" Use " in told for told in found.values())


def test_who_asks_whether_a_name_is_there_is_told_no() -> None:
    assert not hasattr(d2lhybrid.nd.contrib, "quantized_rnn") and not hasattr(d2lhybrid.contrib, "tensorrt")
    assert getattr(d2lhybrid.sym.contrib, "quantized_rnn", None) is None
    with pytest.raises(ImportError, match=r"nd\.RNN"):
        from d2lhybrid.ndarray.contrib import quantized_rnn  # type: ignore[attr-defined, import-not-found]  # noqa: F401
