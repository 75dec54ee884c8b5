"""The notebooks run from top to bottom, and show what their texts say."""

import os
import re
import shutil
from pathlib import Path

import pytest

jupytext = pytest.importorskip("jupytext", reason="the notebooks' two forms are compared with jupytext")
pytest.importorskip("nbclient", reason="the notebooks are run with nbclient")

from markdown_it import MarkdownIt  # noqa: E402  jupytext needs it

from .lesson_minutes import LISTS, expected, lessons, minutes_in, sum_of, write_list  # noqa: E402
from .notebook_runs import run, together  # noqa: E402

pytestmark = together

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
CHINESE = FOLDER / "zh"
NOTEBOOKS = [*sorted(FOLDER.glob("*.ipynb")), *sorted(CHINESE.glob("*.ipynb"))]

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}-{path.stem}")


@each_notebook
def test_every_cell_runs(path):
    done = run(path)
    assert done.problem is None, f"{done.problem}\n{done.text}"
    assert not done.left, "files lie about where the notebook is"


def text_of(path):
    """Return where the text form of a notebook lies: in a folder beside it, so that no list shows it twice."""
    return path.parent / "text" / f"{path.stem}.md"


@each_notebook
def test_both_forms_have_the_same_cells(path):
    pair = text_of(path)
    assert pair.exists(), "jupytext --set-formats ipynb,text//md:myst"
    forms = [[(c.cell_type, c.source) for c in jupytext.read(file).cells] for file in (path, pair)]
    assert forms[0] == forms[1], f"jupytext --sync {path.relative_to(FOLDER.parent)}"


def test_there_are_no_texts_without_a_notebook():
    assert NOTEBOOKS
    texts = {*(FOLDER / "text").iterdir(), *(CHINESE / "text").iterdir()}
    assert texts == {text_of(path) for path in NOTEBOOKS}


@pytest.mark.parametrize("folder", [FOLDER, CHINESE, FOLDER / "exercises", CHINESE / "exercises"], ids=str)
def test_a_list_of_files_shows_each_notebook_once(folder):
    names = [p.stem for p in folder.iterdir() if re.match(r"\d\d_", p.name)]
    assert names and len(names) == len(set(names))


def test_an_edit_of_either_form_reaches_the_other(tmp_path):
    from jupytext.cli import jupytext as command

    original = NOTEBOOKS[0]
    notebook, text = tmp_path / original.name, text_of(tmp_path / original.name)
    text.parent.mkdir()
    shutil.copy(original, notebook)
    shutil.copy(text_of(original), text)
    for edited, other in ((notebook, text), (text, notebook)):
        changed = edited.read_text("utf-8").replace("## ", f"## {edited.suffix} edited ", 1)
        edited.write_text(changed, "utf-8")
        os.utime(other, (0, 0))  # so that the clock of the file system may be as coarse as it likes
        command(["--quiet", "--sync", str(edited)])
        sources = [[cell.source for cell in jupytext.read(file).cells] for file in (edited, other)]
        assert sources[0] == sources[1]
    assert "## .md edited .ipynb edited " in text.read_text("utf-8")


#: The sign of a comment or of a docstring, and its one line.
COMMENT = re.compile(r'((?:^|  )# |^ +""")([^"\n]+?)("""$|$)', re.MULTILINE)


def comments_in(source):
    return [found[2] for found in COMMENT.finditer(source)]


def without_comments(source):
    return COMMENT.sub(r"\1\3", source)


@pytest.mark.parametrize("path", sorted(CHINESE.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_translation_has_the_cells_of_the_original(path):
    ours, theirs = (jupytext.read(file).cells for file in (path, FOLDER / path.name))
    config = ours.pop(1)
    assert config.source == 'import d2lhybrid as mx\n\nmx.config(lang="zh")'
    assert [c.cell_type for c in ours] == [c.cell_type for c in theirs]
    for our, their in zip(ours, theirs, strict=True):
        if our.cell_type == "code":
            assert (without_comments(our.source), our.metadata) == (without_comments(their.source), their.metadata)
            assert not [text for text in comments_in(our.source) if not re.search("[\u4e00-\u9fff]", text)]
        elif not re.fullmatch(r"#+ [\w.\[\]]+", our.source):  # a name of the program, which stays as it is
            assert re.search("[\u4e00-\u9fff]", our.source), our.source


@each_notebook
def test_what_is_emphasized_looks_so(path):
    """An asterisk between a full stop and a Chinese character does not end what it has begun."""
    markdown = MarkdownIt("commonmark").enable("table")
    texts = [cell.source for cell in jupytext.read(path).cells if cell.cell_type == "markdown"]
    pieces = [piece for text in texts for token in markdown.parse(text) for piece in token.children or []]
    assert not [piece.content for piece in pieces if piece.type == "text" and "*" in piece.content]


def printed(stem):
    return run(FOLDER / f"{stem}.ipynb").text


def cells(text):
    """Return what each cell printed, after the first line of the cell."""
    return re.split(r"^\[\d+\] ", text, flags=re.MULTILINE)[1:]


def cell(text, first_line):
    """Return what the cell that begins with a line printed."""
    (found,) = [c.removeprefix(first_line) for c in cells(text) if c.startswith(first_line)]
    return found


@pytest.mark.parametrize("chinese", [False, True], ids=["en", "zh"])
@pytest.mark.parametrize("path", lessons(), ids=lambda path: path.stem)
def test_headings_say_how_long_a_section_takes(path, chinese):
    wrong = [(there, right) for there, right in expected(path, chinese) if there != right]
    assert not wrong, "python -m tests.lesson_minutes"


@pytest.mark.parametrize("path", LISTS, ids=str)
def test_each_list_of_lessons_says_how_long_they_take(path, tmp_path):
    told, right = minutes_in(path), {path.stem: sum_of(path) for path in lessons()}
    assert set(right) - set(told) <= {"00_start_here"}, "a lesson is missing"
    assert told == {name: right[name] for name in told}, "python -m tests.lesson_minutes"
    copy = tmp_path / path.name
    copy.write_text(path.read_text("utf-8"), "utf-8")
    write_list(copy, dict.fromkeys(right, 5))
    assert minutes_in(copy) == dict.fromkeys(told, 5)
    write_list(copy, right)
    assert copy.read_text("utf-8") == path.read_text("utf-8")


@each_notebook
def test_a_lesson_imports_public_names_only(path):
    program = "\n".join(c.source for c in jupytext.read(path).cells if c.cell_type == "code")
    assert "d2lhybrid.internals" not in program


@pytest.mark.parametrize("path", sorted(CHINESE.glob("*.ipynb")), ids=lambda path: path.stem)
def test_setting_the_language_prints_nothing(path):
    assert cells(run(path).text)[0].strip() == "import d2lhybrid as mx"


# 00: the tour ---------------------------------------------------------------------------------------


def test_the_tour_checks_the_installation_and_gives_the_same_numbers_twice():
    text = printed("00_start_here")
    assert "Everything that is needed works." in cell(text, "from d2lhybrid import doctor")
    eager = cell(text, "mx.random.seed(0)")
    assert "NDArray 2x3" in eager and cell(text, "net.hybridize()") == eager
    trace = cell(text, "import d2lhybrid as mx")
    assert not trace.partition("PrintTrace Scale")[0].strip(), "what was printed stands in the picture, not above it"
    program = next(c for c in cells(text) if c.startswith("print(net.programs[0].source)"))
    assert "multiply(data, number)" in program and "number = 10" in program, "the text says: the number 10"
    assert re.findall(r"call \d: (.+)", trace) == ["eager", "traced (after net.hybridize())", "compiled"]
    assert "self.factor is frozen at 10" in trace


# 01: imperative and symbolic ------------------------------------------------------------------------


def test_the_same_function_adds_writes_text_and_makes_a_graph():
    text = printed("01_imperative_and_symbolic")
    assert "'((a + b) + (c + d))'" in cell(text, "class Recorder:")
    assert cell(text, "fancy_func(1, 2, 3, 4)").split() == ["10"]
    assert "['a', 'b', 'c', 'd']" in cell(text, 'print("arguments:", g.list_arguments())')
    assert "[10.]" in cell(text, "g.eval(a=nd.array([1])")


def test_the_program_text_is_stepped_through():
    steps = cell(printed("01_imperative_and_symbolic"), "import d2lhybrid as mx")
    assert "(Define, Compile, Inline, Fold, Execute)" in steps


def test_constants_are_folded():
    before, after = cell(printed("01_imperative_and_symbolic"), "stages = net.programs[0].stages").strip().split("\n\n")
    assert (before.count("_full("), before.count("elemwise_add(")) == (4, 4)
    assert after.count("elemwise_add(") == 1 and "_constant(value=[10.0])" in after


def test_the_compiled_sum_needs_less_memory():
    text = printed("01_imperative_and_symbolic")
    eager, compiled = map(float, re.findall(r"([\d.]+) MB", cell(text, "import tracemalloc")))
    assert (round(eager), round(compiled)) == (12, 4)
    source = cell(text, "print(net.programs[0].source)")
    assert "_fused = fused(" in source and source.count(" = ") == 1


def test_the_symbolic_error_comes_late():
    text = printed("01_imperative_and_symbolic")
    assert "added" not in cell(text, "def add_two(a, b):")
    late = cell(text, "description = add_two(")
    assert late.index("added") < late.index("described: <Symbol") < late.index("Error: Error in operator")


# 02: HybridSequential -------------------------------------------------------------------------------


def test_one_trace_makes_programs_for_two_shapes():
    diary = cell(printed("02_hybrid_sequential"), "for rows in (1, 5, 1, 5):").split("\n")
    assert [line.strip() for line in diary if line.strip()] == [
        "traced, because",
        "first call",
        "compiled, because",
        "first call",
        "the shape of data changed from (1, 512) to (5, 512)",
    ]


def test_both_ways_are_timed():
    text = printed("02_hybrid_sequential")
    assert re.findall(r"(Without|With   ) hybridization: \d+\.\d+ sec", text) == ["Without", "With   "]
    # For each way its parts, or why they are not shown: on a busy machine they do not add up to the whole.
    parts = re.findall(
        "in Python around them|the breakdown of the time is not shown", cell(text, "mx.compare(get_net(), x")
    )
    assert len(parts) == 2


def test_six_operators_become_one():
    stages = cell(printed("02_hybrid_sequential"), "def polynomial(F, x):")
    assert re.findall(r"fuse element-wise +(\d+)", stages) == ["1"]
    assert re.findall(r"remove dead +(\d+)", stages) == ["6"]


def test_the_exported_net_computes_the_same():
    text = printed("02_hybrid_sequential")
    assert "array([[1., 1.]]" in cell(text, "import warnings")
    assert len(re.findall(r"FullyConnected .* from ", cell(text, "import json"))) == 3


def test_a_plain_block_runs_at_every_call():
    text = printed("02_hybrid_sequential")
    mixed = cell(text, "mixed = nn.Sequential()")
    assert mixed.count("largest value") == 2 and mixed.count("1 program") == 2 and "no program" in mixed
    assert "[not compiled] self[1] is a Report" in cell(text, "for note in mx.check_hybridization(mixed, x).notes:")
    assert "Concat(" in cell(text, "from d2lhybrid.gluon.contrib.nn import HybridConcurrent")


# 03: HybridBlock ------------------------------------------------------------------------------------


def test_prints_vanish():
    text = printed("03_hybrid_block")
    start = next(i for i, c in enumerate(cells(text)) if c.startswith("class HybridNet"))
    eager, again, traced, silent = cells(text)[start : start + 4]
    assert "F is      d2lhybrid.ndarray" in eager and "F is      d2lhybrid.ndarray" in again
    assert "F is      d2lhybrid.symbol" in traced and "x is      <Symbol data>" in traced
    assert " is " not in silent
    assert len({re.findall(r"\[\[.*?\]\]", c, re.DOTALL)[-1] for c in (eager, again, traced, silent)}) == 1


def test_loops_are_unrolled_and_attributes_frozen():
    text = printed("03_hybrid_block")
    source = cell(text, "class Powers(nn.HybridBlock):")
    assert source.count(" = power(") == 2 and source.count("= add(") == 2 and "negative(" not in source
    changed = cell(text, 'print("changed:')
    assert "changed:           [ 3. 14. 39.]" in changed and "hybridized again:  [-1. -2. -3.]" in changed
    frozen = cell(text, "check = mx.check_hybridization(Powers(degree=3), x)")
    assert all(
        word in frozen
        for word in ("self.degree is frozen at 3", "self.negative is frozen at False", "unrolled", "not taken")
    )


def test_what_traces_and_what_compiles():
    table = cell(printed("03_hybrid_block"), "class Counting(nn.HybridBlock):")
    counts = {
        "first call": (1, 1),
        "same call again": (1, 1),
        "another number of rows": (1, 2),
        "new values in the weights": (1, 2),
        "inside autograd.record()": (1, 3),
        "hybridize() called again": (2, 4),
        "cast to another type": (3, 5),
    }
    rows = re.findall(r"(\S.*\S) +traces: (\d+) +compilations: (\d+)", table)
    assert {name.strip(): (int(a), int(b)) for name, a, b in rows} == counts


def test_there_is_a_program_for_gradients_and_parameters_are_inputs():
    text = printed("03_hybrid_block")
    assert "def backward(" in cell(text, "line = nn.Dense(1)")
    scaled = cell(text, "class Scaled(nn.HybridBlock):")
    assert scaled.count("scale is") == 1 and scaled.count("NDArray 1x2") == 2


# 04: limits -----------------------------------------------------------------------------------------

LIMITS = {
    "corner": "TypeError: Symbol only support integer index to fetch i-th output",
    "double_unless_half": "AttributeError: 'Symbol' object has no attribute 'dtype'",
    "double_on_gpus": "AttributeError: 'Symbol' object has no attribute 'context'",
    "first_row_two": "TypeError: 'Symbol' object does not support item assignment",
    "add_one": 'NotImplementedForSymbol: Function __iadd__ (namely operator "+=")',
    "divide_by_largest": "NotImplementedForSymbol: Function asnumpy is not implemented for Symbol",
    "decay": "ValueError: setting an array element with a sequence.",
    "leaky": 'NotImplementedForSymbol: Function __bool__ (namely operator "bool")',
    "weigh": "TypeError: type <class 'd2lhybrid.ndarray.ndarray.NDArray'> not supported",
    "add_a_row": "Incompatible attr in node",
}
REPAIRED = ["corner", "with_ones", "add_one", "divide_by_largest", "decay", "add_a_row", "first_row", "jitter"]


@pytest.mark.parametrize("name", LIMITS)
def test_a_loud_limit_is_seen_and_explained(name):
    broken = next(c for c in cells(printed("04_limits")) if c.startswith(f"def {name}(F, x):"))
    eager, hybridized = broken.split("    hybridized  ")
    assert "    line by line  [" in eager and "Error" not in eager
    assert LIMITS[name] in hybridized and "Cell In[" in hybridized
    assert len(hybridized.strip().splitlines()) >= 4, "no remedy"


def test_the_first_error_is_shown_in_full_with_a_lens():
    text = cell(printed("04_limits"), "def double_rows(F, x):")
    assert "AttributeError: 'Symbol' object has no attribute 'shape'" in text
    assert "H03 The shape of a Symbol is read" in text and "x = Symbol data, no values yet" in text


@pytest.mark.parametrize("name", REPAIRED)
def test_what_replaces_it_does_the_same_in_both_ways(name):
    repaired = [c for c in cells(printed("04_limits")) if c.startswith(f"def {name}(F, x):")][-1]
    assert "results are the same (10 calls compared), and nothing is frozen" in repaired


def test_every_repair_is_checked():
    text = printed("04_limits")
    assert text.count("results are the same (10 calls compared), and nothing is frozen") == 14
    assert text.count("Hybridized, the net behaves differently") == 1  # x[0], which is shown in full
    assert "no differences" in cell(text, "class DoubleUnlessHalf(nn.HybridBlock):")


def test_the_silent_limits_show_another_result():
    text = printed("04_limits")
    first_row = next(c for c in cells(text) if c.startswith("def first_row(F, x):"))
    assert "line by line  [1. 2. 3.]" in first_row and "hybridized    [[1. 2. 3.] [4. 5. 6.]]" in first_row
    fading = cell(text, "class Fading(nn.HybridBlock):")
    assert "4.0 2.0 1.0 0.5" in fading and "4.0 4.0 4.0 4.0" in fading
    own, real = (c for c in cells(text) if c.startswith("def own_dropout(F, x):"))
    assert "training:  " + " 1.0" * 10 in own
    assert set(real.split("training:  ")[1].splitlines()[0].split()) == {"0.0", "2.0"}
    python, graph = (re.findall(r"\d\.\d+", c)[:4] for c in cells(text) if c.startswith("def jitter(F, x):"))
    assert len(set(python)) == 1 and len(set(graph)) == 4
