"""Lesson 09 answers, within ten minutes, what each framework does with a print, an if, an attribute and a new shape."""

import json
import re
from pathlib import Path

import pytest

from d2lhybrid.internals.pictures.others import documented, recording, timing
from d2lhybrid.internals.pictures.others.side_by_side import STATES

from .lesson_minutes import headings_of

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
PAGES = {lang: FOLDER / folder / "09_and_the_others.ipynb" for lang, folder in (("en", ""), ("zh", "zh"))}
FRAMEWORKS = ("gluon", "torch", "jax", "tensorflow")
#: A table's heading in each language, and the section of each question: where a reader finds the answer.
TABLE = {"en": "Four questions, sixteen answers", "zh": "四个问题，十六个答案"}


def _calls(program, framework):
    return recording.program(program)["runs"][framework]["calls"]


def _print(framework):
    lines = [call["printed"].count("\n") for call in _calls("print", framework)]
    parts = {call["parts"] for call in _calls("print", framework)}
    return {(1, 0, 0, 0): "once", (1, 0, 1, 0): "in each trace", (1, 1, 1, 1): "in each call"}[tuple(lines)], parts == {
        2
    }


def _if(framework):
    calls = _calls("if_value", framework)
    if all(call["error"] for call in calls):
        return "error"
    return "breaks" if {call["parts"] for call in calls} == {2} else "operator"


def _attribute(framework):
    values = [call["value"] for call in _calls("attribute", framework)]
    return "noticed" if values[1] == "[5. 5.]" else "unnoticed"


def _shape(framework):
    kinds = [call["kind"] for call in _calls("batch", framework)]
    return {
        ("traced", "recompiled", "recompiled", "recompiled"): "program",
        ("traced", "again", "compiled", "compiled"): "once more",
        ("traced", "again", "again", "again"): "trace each",
    }[tuple(kinds)]


#: Question -> what ran -> the words of the table in English, and in Chinese.
ANSWERS = [
    (_print, {("once", False): ("once, in the trace", "只在追踪时打印一次"),
              ("in each call", True): ("in each call, and breaks the graph", "每次调用都打印，并断开图"),
              ("in each trace", False): ("in each trace", "每次追踪都打印")}),
    (_if, {"error": ("is an error", "报错"), "breaks": ("breaks the graph", "断开图"),
           "operator": ("becomes an operator", "变成算子")}),
    (_attribute, {"unnoticed": ("goes unnoticed until the next trace", "到下一次追踪才会发现"),
                  "noticed": ("fails a guard: captured again", "守卫不通过：重新捕获")}),
    (_shape, {"program": ("needs another program, no trace", "需要另一个程序，不用追踪"),
              "once more": ("is captured again at the second size, then no more",
                            "遇到第二种大小时重新捕获，此后不再捕获"),
              "trace each": ("needs another trace", "需要重新追踪")}),
]  # fmt: skip


def _text(lang):
    cells = json.loads(PAGES[lang].read_text("utf-8"))["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells)


def _rows(lang):
    text = _text(lang).partition(TABLE[lang])[2]
    lines = [line for line in text.split("\n\n", 3)[2].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@pytest.mark.parametrize("lang", PAGES)
def test_the_table_of_answers_says_what_ran(lang):
    head, _, *rows = _rows(lang)
    assert head[1:] == ["Gluon", "PyTorch", "JAX", "TensorFlow"] and len(rows) == len(ANSWERS)
    for row, (found, words) in zip(rows, ANSWERS, strict=True):
        told = [words[found(framework)][lang == "zh"] for framework in FRAMEWORKS]
        assert all(said.endswith(cell) for said, cell in zip(row[1:], told, strict=True)), (row, told)


@pytest.mark.parametrize("lang", PAGES)
def test_the_answers_are_read_within_ten_minutes(lang):
    minutes = 0
    for title in headings_of(PAGES[lang]):
        found = re.search(r"[ （(](\d+) (?:min|分钟)[)）]$", title) or re.search(r"(\d+)", title)
        minutes += int(found[1]) if found else 0
        if TABLE[lang] in title:
            break
    assert 5 <= minutes <= 10
    before = _text(lang).partition(TABLE[lang])[0]
    for program in ("print", "if_value", "attribute", "batch"):
        assert f'mx.side_by_side("{program}")' in before, "the picture that shows it comes before"


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ["counter in PyTorch", "loop on data in PyTorch", "random number in PyTorch", "NumPy in TensorFlow"]),
        ("zh", ["PyTorch 的计数器", "由数据决定的循环", "Python 的随机数", "TensorFlow 里的 NumPy"]),
    ],
)
def test_what_differs_from_the_documentation_is_told(lang, words):
    text = _text(lang)
    programs = recording.read()["programs"]
    differ = [(one["name"], f) for one in programs for f in documented.DOCUMENTED
              if documented.documented(one, f).kind == "differs"]  # fmt: skip
    assert len(differ) == len(words) and all(word in text for word in words)


@pytest.mark.parametrize("lang", PAGES)
def test_releases_that_were_timed_but_not_recorded_are_told(lang):
    recorded, timed = recording.read()["versions"], timing.times()["versions"]
    told = _text(lang).partition("timing=True")[2].partition("quiz=True")[0]
    pairs = {".".join(v["torch"].split(".")[:2]) for v in (recorded, timed)}
    assert {*re.findall(r"\b2\.1\d\b", told)} == (pairs if len(pairs) > 1 else set())
    differ = [name for name in FRAMEWORKS if recorded[name].partition("+")[0] != timed[name]]
    assert differ in ([], ["torch"]), "the lesson names PyTorch only"


@pytest.mark.parametrize("lang", PAGES)
def test_the_legend_has_every_sign_of_a_line(lang):
    signs = {sign for sign, _, _ in STATES.values()}
    assert signs == {*re.findall(r"(?m)^- `(.)` ", _text(lang))}
