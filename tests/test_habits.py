"""What Python and its libraries have dropped comes back for old programs, and for nobody else."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

from d2lhybrid.internals.commands.running.habits.of_python import GONE
from d2lhybrid.internals.commands.running.habits.relied import Use
from d2lhybrid.internals.commands.running.report import relied_text
from d2lhybrid.util import config

from .habits.checking import check, installed

BEGIN = (
    "import d2lhybrid; d2lhybrid.as_mxnet(habits=True)\n"
    "from d2lhybrid.internals.commands.running.habits import RELIED\n"
)


def run(program, folder=None, begin=BEGIN):
    """Run a program from a file, and return what it printed."""
    file = Path(folder or ".") / "program.py"
    command = [sys.executable, str(file)] if folder else [sys.executable, "-c", begin + program]
    if folder:
        file.write_text(begin + program, encoding="utf-8")
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=_environment())
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def _environment():
    root = str(Path(__file__).resolve().parents[1])
    return {**os.environ, "PYTHONPATH": root}


@pytest.mark.parametrize("library", installed())
def test_statements_that_todays_libraries_refuse_run_and_are_noted(library):
    count, refused, wrong = check(library)
    assert not wrong
    assert count and refused


@pytest.mark.parametrize(
    ("module", "text", "expected"),
    [
        ("version", "[str(LooseVersion(v)) for v in sorted(['1.10', '1.9', '1.9.1'], key=LooseVersion)]",
         ["1.9", "1.9.1", "1.10"]),
        ("version", "[LooseVersion('1.5.1') >= '1.5', LooseVersion('2.0') == '2.0', LooseVersion('1.9') > '1.10']",
         [True, True, False]),
        ("version", "[StrictVersion('1.2a1') < '1.2b1' < StrictVersion('1.2'), StrictVersion('1.2') == '1.2.0']",
         [True, True]),
        ("util", "[strtobool(word) for word in ('Yes', 'f', 'ON', '0')]", [1, 0, 1, 0]),
        ("spawn", "[find_executable('no such program')]", [None]),
    ],
)  # fmt: skip
def test_what_python_3_12_removed_with_distutils_is_the_same(module, text, expected):
    made, instead = GONE[f"distutils.{module}"]()
    assert instead
    assert eval(text, dict(made)) == expected
    if sys.version_info < (3, 12):
        theirs = f"from distutils.{module} import *; print({text})"
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", theirs], capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == repr(expected)


def test_a_tree_is_copied_into_a_folder_that_exists(tmp_path):
    (tmp_path / "from" / "inner").mkdir(parents=True)
    (tmp_path / "from" / "inner" / "x").write_text("1")
    (tmp_path / "to").mkdir()
    copied = GONE["distutils.dir_util"]()[0]["copy_tree"](str(tmp_path / "from"), str(tmp_path / "to"))
    assert [Path(name).read_text() for name in copied] == ["1"]


def test_nothing_changes_for_programs_that_do_not_ask():
    program = (
        "import builtins, numpy, collections, json, random\n"
        "before = [builtins.open, numpy.array, numpy.stack, json.loads, random.sample]\n"
        "import d2lhybrid; d2lhybrid.nd, d2lhybrid.gluon; d2lhybrid.as_mxnet()\n"
        "after = [builtins.open, numpy.array, numpy.stack, json.loads, random.sample]\n"
        "print(all(a is b for a, b in zip(before, after)), hasattr(numpy, 'int'), hasattr(collections, 'Iterable'))"
    )
    assert run(program, begin="") == "True False False"


def test_no_library_is_imported_for_the_sake_of_its_names():
    heavy = {"matplotlib", "pandas", "scipy", "PIL", "IPython", "sklearn"}
    assert run(f"import sys; print({heavy} & set(sys.modules))") == "set()"


def test_a_library_is_changed_after_its_import_and_keeps_its_loader():
    program = (
        "import json, sys\nsys.modules.pop('fractions', None)\nimport fractions\n"
        "loader = fractions.__spec__.loader\n"
        "print(fractions.gcd(4, 6), type(loader).__name__, loader is fractions.__loader__)"
    )
    assert run(program) == "2 SourceFileLoader True"


def test_h5py_creates_a_new_file_without_a_mode_and_only_reads_an_existing_one(tmp_path):
    stand_in = "class File:\n    def __init__(self, name, mode='r'):\n        self.mode = mode\n"
    (tmp_path / "h5py.py").write_text(stand_in, encoding="utf-8")
    program = (
        "from h5py import File\n"
        "print(*(file.mode for file in (File('new.h5'), File(name='new.h5'), File('new.h5', 'a'), File(__file__))))\n"
        "print(*(use.line for use in RELIED.values()))"
    )
    assert run(program, tmp_path).splitlines() == ["w- w- a r", "4"]


def test_a_later_version_that_has_changed_is_a_warning_and_no_error():
    program = (
        "import warnings\nfrom d2lhybrid.internals.commands.running.habits.importing import WhenImported\n"
        "def change(module): raise AttributeError('renamed')\n"
        "WhenImported({'colorsys': change}).begin()\n"
        "with warnings.catch_warnings(record=True) as told:\n"
        "    warnings.simplefilter('always'); import colorsys\n"
        "print(colorsys.rgb_to_hsv(0, 0, 0), *[w.message for w in told])"
    )
    assert (
        run(program)
        == "(0.0, 0.0, 0) The names that colorsys had in 2019 could not be restored: AttributeError: renamed"
    )


def test_libraries_of_today_see_no_old_name_and_get_the_errors_that_they_rely_on():
    program = (
        "names = {'__name__': 'scipy.part'}\n"
        'exec(\'import numpy, collections; seen = hasattr(numpy, "int"), hasattr(collections, "Iterable")\', names)\n'
        "try: exec('numpy.array([[1], [1, 2]])', names)\n"
        "except ValueError as error: print(names['seen'], 'inhomogeneous' in str(error))"
    )
    assert run(program) == "(False, False) True"


def test_what_a_program_copes_with_itself_is_not_noted(tmp_path):
    program = (
        "try:\n    from collections import Mapping\nexcept ImportError:\n    from collections.abc import Mapping\n"
        "import numpy\n"
        "whole = numpy.int\n"
        "numpy.int\n"
        "print([(use.what, use.line) for use in RELIED.values()])"
    )
    assert run(program, tmp_path) == "[('numpy.int', 8)]"


def test_arrays_that_could_always_be_made_are_the_same_as_without():
    program = (
        "import numpy\n"
        "values = [[1, 2], [3.5, 4]], [True], [], 3, 'a', [None], [[1], [2]], numpy.float32([1])\n"
        "print(all(numpy.array(v).dtype == numpy.array.__wrapped__(v).dtype for v in values), len(RELIED))"
    )
    assert run(program) == "True 0"


def test_arrays_that_are_no_numbers_stay_so():
    program = (
        "import numpy\n"
        "class Own(numpy.ndarray): pass\n"
        "kept = []\n"
        "for value in numpy.ones(2), numpy.ones((0,)), numpy.array(['a']), numpy.ones(2).view(Own):\n"
        "    for convert in float, int, complex:\n"
        "        try: convert(value)\n"
        "        except (TypeError, ValueError) as error: kept.append(type(error).__name__)\n"
        "print(len(kept), float(numpy.array(2)), float(numpy.ones(1).view(Own)))\n"
        "names = {'__name__': 'pandas.core', 'numpy': numpy}\n"
        "try: exec('float(numpy.ones(1))', names)\n"
        "except TypeError as error: print('refused')"
    )
    found = run(program).splitlines()
    assert found[0] == "12 2.0 1.0"
    assert found[1:] == (["refused"] if numpy.lib.NumpyVersion(numpy.__version__) >= "2.4.0" else [])


#: Plumbing of NumPy's own, which no program asked for.
_PLUMBING = """
    ERR_CALL ERR_DEFAULT ERR_IGNORE ERR_LOG ERR_PRINT ERR_RAISE ERR_WARN FLOATING_POINT_SUPPORT FPE_DIVIDEBYZERO
    FPE_INVALID FPE_OVERFLOW FPE_UNDERFLOW SHIFT_DIVIDEBYZERO SHIFT_INVALID SHIFT_OVERFLOW SHIFT_UNDERFLOW Tester
    UFUNC_BUFSIZE_DEFAULT UFUNC_PYVALS_NAME add_docstring add_newdoc add_newdoc_ufunc compat get_array_wrap geterrobj
    kernel_version lookfor numarray oldnumeric set_numeric_ops seterrobj tracemalloc_domain use_hugepage who
"""


@pytest.mark.interop
def test_every_name_of_the_numpy_that_mxnet_runs_with():
    python = os.environ.get("D2LHYBRID_MXNET_PYTHON")
    if not python:
        pytest.skip("real MXNet is not here")
    listing = "import numpy, json; print(json.dumps([n for n in dir(numpy) if n[0] != '_']))"
    done = subprocess.run([python, "-W", "ignore", "-c", listing], capture_output=True, text=True, check=True)
    program = (
        f"import numpy, warnings; warnings.simplefilter('ignore')\n"
        f"print([n for n in {json.loads(done.stdout)!r} if not hasattr(numpy, n)])"
    )
    assert set(eval(run(program))) <= set(_PLUMBING.split())


def test_the_report_has_a_line_for_each_in_both_languages():
    uses = [Use("numpy.int", "int", "a.py", 3), Use("time.clock", "time.perf_counter", "", 0)]
    assert relied_text(uses).splitlines() == [
        "This program used 2 names that Python or a library has removed:",
        "  numpy.int  (a.py, line 3), today: int",
        "  time.clock, today: time.perf_counter",
    ]
    assert relied_text([]) == ""
    with config(lang="zh"):
        assert relied_text(uses[:1]).splitlines() == [
            "这个程序用到了 1 个已经移除的功能：",
            "  numpy.int  (a.py, 第 3 行), 现在：int",
        ]


def test_habits_need_nothing_of_this_package():
    """Real MXNet's Python has them, too, and need not have this package."""
    code = "import runpy; runpy.run_path('give_back.py')['give_back'](); import numpy; numpy.int(3); import sys\n"
    code += "assert 'd2lhybrid' not in sys.modules, sorted(sys.modules)"
    folder = Path(__file__).parent / "foreign" / "inside"
    done = subprocess.run([sys.executable, "-P", "-c", code], cwd=folder, capture_output=True, text=True, check=False,
                          env={**os.environ, "PYTHONPATH": ""})  # fmt: skip
    assert done.returncode == 0, done.stderr
