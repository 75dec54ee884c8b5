"""What the documentation of the frameworks says of each program of the gallery, beside what was recorded."""

import re
from urllib.parse import urlparse

import pytest

import d2lhybrid as mx
from d2lhybrid.internals.pictures.others import documented, recording
from d2lhybrid.internals.pictures.others.side_by_side import side_by_side

DATA = documented._read()
PROGRAMS = {one["name"]: one for one in recording.read()["programs"]}
PAIRS = [(name, framework) for name in PROGRAMS for framework in documented.DOCUMENTED]
HOSTS = {"torch": "docs.pytorch.org", "jax": "docs.jax.dev", "tensorflow": "www.tensorflow.org"}
#: Where the recording and the documentation differ: whoever records again and finds another pair, reads the page again.
DIFFER = {("loop_data", "torch"), ("counter", "torch"), ("random_python", "torch"), ("numpy", "tensorflow")}
SILENT = {("random", "tensorflow")}


def _found(name, framework):
    return documented.documented(PROGRAMS[name], framework)


def test_each_program_has_its_entry_in_each_framework():
    assert {(name, framework) for name, entries in DATA["programs"].items() for framework in entries} == {*PAIRS}
    used = {entry["statement"] for entries in DATA["programs"].values() for entry in entries.values() if entry}
    assert used == {*DATA["statements"]} and re.fullmatch(r"20\d\d-\d\d-\d\d", DATA["read"])


@pytest.mark.parametrize("name", DATA["statements"])
def test_a_statement_has_an_address_of_its_framework_and_words_in_both_languages(name):
    address, english, chinese = DATA["statements"][name]
    place = urlparse(address)
    assert place.scheme == "https" and place.hostname == HOSTS[name.partition(" ")[0]]
    assert english.endswith(".") and len(english) < 160 and english.count("`") % 2 == 0
    assert chinese.endswith("。") and re.search(r"[\u4e00-\u9fff]", chinese)


@pytest.mark.parametrize(("name", "framework"), PAIRS)
def test_what_a_statement_predicts_fits_the_calls(name, framework):
    entry, run = DATA["programs"][name][framework], PROGRAMS[name]["runs"][framework]
    predicted = {key: values for key, values in entry.items() if key != "statement"}
    assert bool(predicted) == bool(entry), "a statement that predicts nothing can't be compared"
    assert all(len(values) == len(run["calls"]) for values in predicted.values())
    assert entry.get("statement", framework).partition(" ")[0] == framework


def test_what_differs_from_the_documentation_is_named():
    kinds = {pair: _found(*pair).kind for pair in PAIRS}
    assert {pair for pair, kind in kinds.items() if kind == "differs"} == DIFFER
    assert {pair for pair, kind in kinds.items() if kind == "silent"} == SILENT
    assert _found("counter", "torch").differences == [
        f"But call {n} ran a compiled program, without another trace." for n in (2, 3)
    ]
    assert _found("loop_data", "torch").differences[0] == "But call 1 was traced."
    assert re.fullmatch(r"But call 1 returned \[\S+\]\.", _found("random_python", "torch").differences[0])
    assert _found("numpy", "tensorflow").differences[0] == "But call 1 raised NotImplementedError."


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("printed", "a\nb\n", "But call 2 printed 2 lines."),
        ("error", "ValueError: no", ""),
        ("kind", "eager", ""),
    ],
)
def test_a_recording_that_changes_is_compared_again(key, value, said):
    one = PROGRAMS["print"]
    calls = [dict(call) for call in one["runs"]["jax"]["calls"]]
    calls[1][key] = value
    runs = {**one["runs"], "jax": {**one["runs"]["jax"], "calls": calls}}
    found = documented.documented({**one, "runs": runs}, "jax")
    assert found.verdict == (said or "The recording agrees."), "only what the statement predicts is compared"


def test_a_picture_says_what_the_documentation_says():
    picture = side_by_side("counter")
    page, text = picture.to_html(), str(picture)
    run = picture.to_dict()["programs"][0]["runs"][2]
    assert run["documented"][0] == "differs" and run["documented"][3].startswith("https://docs.pytorch.org/")
    for shown in (page, text):
        assert "documentation says" in shown and "But call 2 ran a compiled program" in shown
    assert f'href="{run["documented"][3]}"' in page


def test_it_says_so_in_chinese_too():
    with mx.config(lang="zh"):
        for pair in PAIRS:
            found = _found(*pair)
            assert re.search(r"[\u4e00-\u9fff]", found.verdict)
            assert not found.text or re.search(r"[\u4e00-\u9fff]", found.text)
