"""With ``config(lang="zh")`` no sentence of ours is English: in no picture, finding or exercise, and for no error.

The program's own words stay: code, names of operators and layers, and the messages of errors.
"""

from __future__ import annotations

import ast
import html
import importlib.util
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import limit_snippets
import numpy
import pytest
import test_check_hybridization as checks
from judged import mistakes, verdict, wrong_answers
from own_operators import own_operators

import d2lhybrid as mx
from d2lhybrid import error_lens, nd, print_trace
from d2lhybrid.exercises import Exercise, State, exercises, progress
from d2lhybrid.gluon import nn
from d2lhybrid.internals.core import backends as core_backends
from d2lhybrid.internals.core import pipeline
from d2lhybrid.internals.course.exercises.files import folder_of, statement_in
from d2lhybrid.internals.pictures import net_inspection
from d2lhybrid.internals.pictures.steps.passes import name_of, purpose_of
from d2lhybrid.internals.pictures.traps import TRAPS
from d2lhybrid.internals.pictures.traps.notes import PATTERNS, in_words
from d2lhybrid.internals.pictures.traps.pages import page_text
from d2lhybrid.internals.support import plugins, remedies, words

PACKAGE = Path(mx.__file__).parent
FILES = sorted(file for file in (PACKAGE / "internals" / "pictures").rglob("*.py") if "numbered" not in file.parts)
SCHOOL = PACKAGE / "internals" / "course" / "exercises"
#: What makes the sentences of exercises.
SAYING = sorted([*SCHOOL.glob("*.py"), *SCHOOL.glob("tasks/*/*.py"), *SCHOOL.glob("tasks/*/*/task.py")])
EXERCISES = exercises()
each_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.number)
#: A comma, colon, semicolon, or bracket of ASCII next to a Chinese character.
HALF_WIDTH = re.compile(r"[\u4e00-\u9fff][:;,](?=\s|$)|[:;,] [\u4e00-\u9fff]|\([\u4e00-\u9fff]|[\u4e00-\u9fff]\)")
#: Three words one after the other. Dots, brackets, underscores and digits are of programs.
ENGLISH = re.compile(r"(?<![\w.<(\[{'-])[A-Za-z]+,?(?: [a-z]+,?){2,}(?![\w(\[=])")
CASES = [(mode, body) for mode, bodies in limit_snippets.MODES.items() for body in bodies]
X = nd.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@pytest.fixture(autouse=True)
def chinese():
    with mx.config(lang="zh"):
        yield
    mx.util.reset_np()


def english(text: str, *program: str) -> list[str]:
    """Return the English sentences in a text, besides code in quotes and pieces of a program."""
    for piece in sorted(filter(None, program), key=len, reverse=True):
        text = text.replace(piece, " # ")
    text = re.sub(r"`[^`]*`|'[^'\n]*'|\"[^\"\n]*\"", " # ", text)
    return ENGLISH.findall(text)


def sentences_of(path: Path) -> set[str]:
    """Return the texts that a module translates, as far as they stand in it."""
    name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    module = importlib.import_module(name)
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        called = isinstance(node, ast.Call) and getattr(node.func, "id", "")
        if called not in ("translate", "translated_pattern") or not node.args:
            continue
        for argument in node.args[: 1 if called == "translate" else 2]:
            parts = [argument, *getattr(argument, "elts", [])]
            parts += [argument.body, argument.orelse] if isinstance(argument, ast.IfExp) else []
            for part in parts:
                value = part.value if isinstance(part, ast.Constant) else getattr(module, getattr(part, "id", ""), None)
                found |= {value} if isinstance(value, str) else set(value) if isinstance(value, tuple) else set()
    return found


def places(text: str) -> list[str]:
    return sorted(re.findall(r"{\w+(?:!r)?(?::[^}]*)?}", text))


def test_an_english_sentence_is_found():
    assert english("在层中 the shape is read。") and english("Compiled calls do not run it.")
    assert not english("改用 F.where(condition, x, y) 或 F.contrib.cond。`for v in x` 不同。")


@pytest.mark.parametrize("path", [*FILES, *SAYING], ids=lambda path: str(path.relative_to(PACKAGE)))
def test_every_sentence_of_a_module_has_its_translation_with_the_same_places(path):
    for text in sentences_of(path):
        assert text in words._CHINESE, text
        assert places(text) == places(words._CHINESE[text]), text


def test_nothing_is_translated_in_two_ways():
    seen: dict[str, str] = {}
    for path in [PACKAGE / "internals" / "support" / "words.py", *FILES, *SAYING]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            table = node.args[0] if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "add_words" else node
            if not isinstance(table, ast.Dict) or (table is node and path.name != "words.py"):
                continue
            for key, value in zip(table.keys, table.values, strict=True):
                texts = getattr(key, "value", None), getattr(value, "value", None)
                if all(isinstance(text, str) for text in texts) and re.search("[\u4e00-\u9fff]", texts[1]):
                    assert seen.setdefault(texts[0], texts[1]) == texts[1], texts[0]


@pytest.mark.parametrize("number", TRAPS)
def test_every_trap_is_explained(number):
    trap = TRAPS[number]
    for text in (trap.title, trap.trap, trap.reason, trap.remedy):
        shown = words.translate(text)
        assert re.search("[\u4e00-\u9fff]", shown) and not english(shown), shown
        code = [re.findall(r"`[^`]*`|\[H\d\d\]\([^)]*\)", t) for t in (text, shown)]
        assert set(code[0]) == set(code[1]), "the same pieces of a program"


def test_every_note_of_an_error_is_translated():
    rows = [
        remedies.remedy(row, legacy) for row in (*remedies.REMEDIES, *remedies.IN_PLACE) for legacy in (True, False)
    ]
    broadcasts = [remedies.broadcasting(name, [(2, 3), (1, 3)]) for name in remedies.BROADCASTING]
    for note in (*rows, *remedies.ONLY_FOR_ARRAYS.values(), *broadcasts, *PATTERNS):
        shown = in_words(note)
        assert re.search("[\u4e00-\u9fff]", shown) and not english(shown), note
        missing = set(re.findall(r"\bF\.[\w.]+\w", note)) ^ set(re.findall(r"\bF\.[\w.]+\w", shown))
        assert not missing, note


@pytest.mark.parametrize("name", checks.TRAPS)
def test_every_finding_is_written_in_it(name):
    make, kind, _, _, *further = checks.TRAPS[name]
    net = make()
    if name != "call uninitialized":
        net.initialize()
    checks.CALLS[0] = 0
    inputs = (X.asnumpy(),) if name == "numpy input" else (X, *further)
    findings = mx.check_hybridization(net, *inputs)
    assert findings.of_kind(kind), str(findings)
    for finding in findings:
        for text in (finding.what, finding.why, finding.remedy):
            said = re.sub(r"(网络引发 \w+: ).*", r"\1", text)  # the message of an error
            assert not text or re.search("[\u4e00-\u9fff]", said), text
            assert not english(said, "for v in x"), text
    shown = re.sub(r"网络引发 \w+: (?:.|\n)*?\n(?= {4}\S)", "\n", str(findings))
    assert not english(shown, "for v in x", *(finding.code for finding in findings)), shown


@pytest.mark.parametrize("name", checks.SOUND)
def test_so_is_what_is_said_of_a_sound_net(name):
    make, x = checks.SOUND[name]
    net = make()
    net.initialize()
    shown = str(mx.check_hybridization(net, x))
    assert "什么也没有冻结" in shown and not english(shown)


def test_a_check_names_the_modes_of_its_calls_in_it():
    assert any("预测模式" in run for run in mx.check_hybridization(checks.Scaling(), X).runs)


def test_a_finding_is_wrapped_at_a_hundred_columns():
    net = checks.Scaling()
    lines = str(mx.check_hybridization(net, X)).split("\n")
    assert any("改法：" in line for line in lines)
    for line in lines[1:]:
        assert sum(2 if ord(letter) > 0x2E80 else 1 for letter in line) <= 104, line
        assert not re.match(r"\s*[，。；：）]", line), line


def failing(mode, body):
    """Return the error of a snippet that is hybridized, None if it raises none."""
    (mx.util.set_np if mode == "np" else mx.util.reset_np)()
    net = limit_snippets.make(mx, body)
    net.hybridize()
    try:
        net(limit_snippets.array(mx, mode))
    except Exception as error:
        return error
    return None


@pytest.mark.parametrize(("mode", "body"), CASES, ids=lambda v: v.replace("\n", "; "))
def test_the_explanation_of_every_error_is_written_in_it(mode, body):
    error = failing(mode, body)
    if error is None:
        return
    lens = error_lens(error)
    data = lens.to_dict()
    for key in ("title", "trap", "reason", "remedy"):
        assert re.search("[\u4e00-\u9fff]", data[key]), key
    for text in [data["trap"], data["reason"], data["remedy"], *data["notes"]]:
        assert not english(text), text
    for text in data["notes"]:
        assert re.search("[\u4e00-\u9fff]", text), text
    code = [line.text.strip() for line in lens.listing.lines]
    assert not english(lens.to_text(), lens.message, *code), lens.to_text()


def pictures():
    """Return each picture of a net, by name."""
    net = nn.HybridSequential(prefix="net_")
    net.add(nn.Dense(4, activation="relu"), nn.BatchNorm(), checks.Scaling(), nn.Dropout(0.5), nn.Dense(2))
    net.initialize()
    trace = print_trace(net, X, calls=2)
    trace.hybridize()
    trace.again()
    trace.set_attribute("self[2].factor", 7)
    trace.again()
    trace.new_shape()
    plain = nn.Sequential()
    plain.add(nn.Dense(2), checks.Plain(), checks.Printing())
    plain.initialize()
    times = mx.compare(net, X, rounds=5, seconds=0.01, progress=False)
    return {
        "trace": trace, "trace of a Block": print_trace(plain, X, calls=2), "times": times,
        "times of a Block": mx.compare(plain, X, rounds=5, seconds=0.01, progress=False),
        "times over sizes": mx.compare_over(net, (1, 2), X, rounds=5, seconds=0.01, progress=False),
        "steps": mx.compile_steps(net, X), "graph": net.graph(X),
    }  # fmt: skip


def test_every_picture_is_written_in_it():
    own = [line.strip() for line in Path(checks.__file__).read_text().split("\n")]
    for name, picture in pictures().items():
        page = html.unescape(
            re.sub(r"<(?:svg|style).*?</(?:svg|style)>|<[^>]*>", "\n", picture.to_html(), flags=re.DOTALL)
        )
        for text in (picture.to_text(), page):
            said = english(text, "an x of type", *(line for line in own if " " in line))
            assert not said, f"{name}: {said}"
        for word, shown in picture.to_dict().get("words", {}).items():
            assert word in ("hybrid_forward", "{label}: {text}") or re.search("[\u4e00-\u9fff]", shown), (
                f"{name}: {word}"
            )


def test_every_picture_has_the_punctuation_of_chinese():
    with pytest.raises(Exception) as caught:
        failing_net()(X)
    others = {
        "error after the trace": error_lens(caught.value), "frameworks": mx.side_by_side("print"),
        "table of frameworks": mx.side_by_side(),
    }  # fmt: skip
    for name, picture in {**pictures(), **others}.items():
        found = [line for line in picture.to_text().splitlines() if HALF_WIDTH.search(line)]
        assert not found, f"{name}: {found}"


def failing_net():
    """Return a net whose shapes do not fit, which only the compiler finds."""
    net = nn.HybridLambda(lambda F, x: x + F.ones((1, 3)))
    net.hybridize()
    return net


def test_every_pass_of_the_compiler_is_named_and_explained():
    passes = [*pipeline.INFERENCE_PASSES, *pipeline.FORWARD_PASSES, *pipeline.PASSES]
    for name in [*dict(passes), "differentiate", "split"]:
        for text in (name_of(name), purpose_of(name)):
            assert re.search("[\u4e00-\u9fff]", text), name


@pytest.mark.parametrize("number", TRAPS)
def test_the_page_of_a_trap_is_written_in_it(number):
    prose = re.sub(r"```.*?```|<!--.*?-->", "", page_text(TRAPS[number]), flags=re.DOTALL)
    assert not english(prose), english(prose)


def test_the_drawing_of_the_first_page_is_written_in_it():
    text = (PACKAGE.parent / "docs" / "three-ways.svg").read_text("utf-8")
    path = PACKAGE.parent / "docs" / "site" / "drawing.py"
    spec = importlib.util.spec_from_file_location("drawing_of_the_site", path)
    drawing = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(drawing)
    said = " ".join(ElementTree.fromstring(drawing.in_chinese(text)).itertext())
    assert not english(re.sub(r"[^{}]*{[^}]*}", "", said)) and "逐行运行" in said and "F.relu(self.hidden(x))" in said
    with pytest.raises(ValueError, match="without a word"):
        drawing.in_chinese(text.replace("A Gluon program, written once", "a sentence without a word in Chinese"))


@pytest.mark.parametrize("name", plugins.BACKENDS)
def test_what_a_backend_does_instead_is_named_and_explained(name, monkeypatch):
    backend = plugins.load(plugins.BACKENDS[name])()
    monkeypatch.setitem(core_backends._used, name, backend)  # as if somebody had used it: its passes have names then
    settings = pipeline.Settings(numpy, False, False, backend)
    for passes in (pipeline.INFERENCE_PASSES, pipeline.FORWARD_PASSES, pipeline.PASSES):
        for name, _ in backend.passes(passes, settings):
            assert re.search("[\u4e00-\u9fff]", name_of(name)) and re.search("[\u4e00-\u9fff]", purpose_of(name)), name
            assert "``" not in purpose_of(name)


def test_what_is_looked_up_in_a_net_is_written_in_it():
    net = checks.Scaling()
    net.hybridize()
    net(X)
    for what in ("memory", "times", "check"):
        found = net_inspection.looked_up(net, (X,), what)
        text = found.to_text()
        assert re.search("[\u4e00-\u9fff]", found.title) and not english(text, "return x * self.factor  # here"), text


# Exercises ---------------------------------------------------------------------------------------------


@each_exercise
def test_every_exercise_is_told_in_it(exercise):
    folder = folder_of(exercise.module)
    theirs, ours = statement_in(folder), statement_in(folder, "zh")
    assert (folder / "text.zh.md").is_file() and (exercise.title, exercise.task) == (ours.title, ours.task)
    assert len(ours.hints) == len(theirs.hints)
    for said, original in zip(texts_of(ours), texts_of(theirs), strict=True):
        programs = [re.findall("```.*?```", re.sub("#.*", "#", text), re.DOTALL) for text in (said, original)]
        assert programs[0] == programs[1], "the same programs, but for comments"
        said, original = (re.sub("```.*?```", "", text, flags=re.DOTALL) for text in (said, original))
        code = [{" ".join(piece.split()) for piece in re.findall("`([^`]+)`", text)} for text in (said, original)]
        assert code[0] == code[1], "the same pieces of a program"
        assert not english(said), english(said)
        assert re.search("[\u4e00-\u9fff]", said) or re.fullmatch(r"`[^`]+`( .{1,3} `[^`]+`)?[.。]?", said), said
        assert not re.search("[\u4e00-\u9fff] [\u4e00-\u9fff]|[，。：；] (?!\\|)", said), "lines that were joined"


def texts_of(statement):
    return [statement.title, statement.task, *statement.hints, statement.insight]


#: Strings in the modules of exercises that nobody reads as a sentence: data, code, and names of parts and of modules.
SENTENCE = re.compile(r"[A-Za-z`}\]],? [a-z`{]|[a-z)`][.?:]$")
DATA = re.compile(r"^(?:[a-z]+|-?\d+)(?: [-+*@] |\()|[<>]|^(?:import|from) |=\"|^[A-Z_]+$|Interpreter")


#: What they do with texts is tried below; they hold parts of pages and of files, too.
OTHERS = {"catalogue.py", "display.py", "exercise.py", "files.py", "notebooks.py"}


@pytest.mark.parametrize(
    "path", [path for path in SAYING if path.name not in OTHERS], ids=lambda path: str(path.relative_to(SCHOOL))
)
def test_no_sentence_is_made_past_the_translations(path):
    """A sentence is a whole string with places, which can be looked up; never an f-string, nor a sum of strings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {part for e in EXERCISES for part in e.parts} | {c for e in EXERCISES for c in choices_of(e)}
    passed = {id(node) for node in ast.walk(tree) if not_said(node) for node in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in passed:
            continue
        if isinstance(node, ast.JoinedStr):
            fixed = "".join(v.value if isinstance(v, ast.Constant) else "{}" for v in node.values)
            assert DATA.search(fixed) or not re.search(r"[A-Za-z]{2,} |[A-Za-z]{2,}[.?:]$| [a-z]{2,}", fixed), fixed
        text = getattr(node, "value", None) if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and text not in names and SENTENCE.search(text) and not DATA.search(text):
            assert own_or_shared(text, path), text


def not_said(node):
    """Return whether a node is a docstring, or what is raised and warned of where no student is."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        return getattr(node.exc.func, "id", "") not in ("Wrong",)
    called = node.func if isinstance(node, ast.Call) else None
    return getattr(called, "attr", getattr(called, "id", "")) in ("warn", "add_note", "add_words", "CodecError")


def choices_of(exercise):
    """Return the lines of a table of choices, and what can be chosen."""
    module = sys.modules[exercise.module]
    right, reasons = getattr(module, "_RIGHT", {}), getattr(module, "_REASONS", {})
    wrong = {choice for table in reasons.values() for choice in table} if right else set()
    return {*right, *(str(choice) for choice in [*right.values(), *wrong])} if isinstance(right, dict) else set()


def own_or_shared(text, path):
    """Return whether a sentence stands in a table that is there whenever the module is: of its chapter, or of all."""
    tables = [PACKAGE / "internals" / "support" / "words.py", SCHOOL / "chinese.py"]
    tables += [parent / "chinese.py" for parent in path.parents if parent.parent.name == "tasks"]
    keys = {
        key.value
        for table in tables
        for node in ast.walk(ast.parse(table.read_text(encoding="utf-8")))
        if isinstance(node, ast.Dict)
        for key in node.keys
        if isinstance(key, ast.Constant)
    }
    return text in keys


@each_exercise
def test_what_a_check_says_is_written_in_it(exercise):
    """Of the starter, the solution, mistakes, and other wrong answers, which raise all kinds of errors, too."""
    wrong = {m.name: m.code for m in mistakes(exercise)} | wrong_answers(exercise)
    answers = {"starter": exercise.starter, "solution": exercise.solution_code, **wrong}
    for name, code in answers.items():
        with own_operators():
            result = verdict(exercise, code, seed=0)
        said = re.sub("引发了 `.*", "引发了", result.message, flags=re.DOTALL)  # the message of an error
        said = re.sub("(无法读入计算图|无法运行计算图，.*?)：.*", r"\1", said, flags=re.DOTALL)
        assert re.search("[\u4e00-\u9fff]", said), f"{name}: {result}"
        assert not english(said), f"{name}: {result}"
        for detail in result.details:
            assert re.search("[\u4e00-\u9fff]", detail) and not english(detail), f"{name}: {detail}"
        assert not re.search("[a-z]", result.state.shown) and f"{exercise.number} {result.state.shown}。" in str(result)


def test_hints_solutions_and_progress_are_written_in_it(tmp_path, monkeypatch):
    monkeypatch.setenv("D2LHYBRID_DATA", str(tmp_path))
    exercise: Exercise = EXERCISES[0]
    shown = [str(exercise.hint()) for _ in exercise.hints] + [str(exercise.hint()), exercise.hint()._repr_markdown_()]
    shown += [str(progress()), re.sub("<[^>]*>", " ", progress()._repr_html_()), exercise.solution().title]
    shown += [str(exercise.check()), exercise.check()._repr_html_().partition("</b>")[0].rpartition(">")[2]]
    for text in shown:
        assert re.search("[\u4e00-\u9fff]", text) and not english(text), text
    assert all(re.search("[\u4e00-\u9fff]", state.shown) for state in State)


def test_a_text_that_is_not_there_is_read_in_its_own_language(tmp_path):
    text = "# {}\n\nWrite it.\n\n## Hints\n\n- Try.\n\n## Insight\n\nIt is.\n"
    (tmp_path / "text.md").write_text(text.format("English"), "utf-8")
    assert statement_in(tmp_path, "zh").title == "English"
    (tmp_path / "text.zh.md").write_text(text.format("中文"), "utf-8")
    assert (statement_in(tmp_path, "zh").title, statement_in(tmp_path).title) == ("中文", "English")


def test_nothing_is_left_of_it_in_english():
    with mx.config(lang="en"):
        assert not re.search("[\u4e00-\u9fff]", str(mx.check_hybridization(checks.Scaling(), X)))
    assert "d2lhybrid.internals.support.words" in sys.modules
