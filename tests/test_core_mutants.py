"""The command that changes the machine: every mutant differs, and code takes the place of code."""

from __future__ import annotations

import argparse
import json
import tomllib
from pathlib import Path
from types import SimpleNamespace

import core_mutants
import pytest
from core_mutants import CORE, all_mutants, live_functions, mutants_of

from d2lhybrid.internals.core import infer


@pytest.fixture(scope="module")
def mutants() -> list[core_mutants.Mutant]:
    return all_mutants(["infer"])


def test_there_are_mutants_of_every_kind(mutants: list[core_mutants.Mutant]) -> None:
    changes = " ".join(m.change for m in mutants)
    assert len(mutants) > 100
    for before, after in ((" is None", " is not None"), (" and ", " or "), ("", "+ pass"), ("", "+ return None")):
        assert before in changes and after in changes


def test_each_names_a_function_that_is_there_and_has_other_code(mutants: list[core_mutants.Mutant]) -> None:
    live = live_functions()
    for m in mutants:
        [function] = live[m.file, m.code.co_firstlineno]
        assert m.code.co_qualname == m.function and m.code.co_freevars == function.__code__.co_freevars
        assert m.change and (m.code.co_code, m.code.co_consts) != (
            function.__code__.co_code,
            function.__code__.co_consts,
        )


def test_a_text_of_an_error_is_no_place_for_a_mutant() -> None:
    assert not [m for m in mutants_of(CORE / "infer.py") if m.change.startswith("- raise")]


def test_a_mutant_takes_the_place_of_a_function() -> None:
    [mutant] = [m for m in all_mutants(["infer"]) if m.function == "format_shape" and "+ return None" in m.change][:1]
    kept = infer.format_shape.__code__
    try:
        infer.format_shape.__code__ = mutant.code
        assert infer.format_shape((2, 3)) is None
    finally:
        infer.format_shape.__code__ = kept
    assert infer.format_shape((2, 3)) == "[2,3]"


def test_each_mutant_that_computes_the_same_is_one_and_says_why() -> None:
    listed = tomllib.loads(core_mutants.EQUIVALENT.read_text("utf-8"))["same"]
    there = {(m.file, m.function, m.change) for m in all_mutants([])}
    for entry in listed:
        assert entry["reason"].endswith(".")
        for change in entry["changes"]:
            assert (entry["file"], entry["function"], change) in there, change


def test_a_survey_is_made_anew_for_what_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    monkeypatch.setattr(core_mutants, "ROOT", tmp_path)
    package, helper = write("d2lhybrid/tape.py", "x = 1"), write("conftest.py", "")
    tests = [write(f"tests/test_{name}.py", "") for name in ("calls", "loops")]
    items = [SimpleNamespace(nodeid=path.name, path=path) for path in tests]
    loop = core_mutants.Loop(argparse.Namespace())

    def survey() -> None:
        rows = [[name, text, 0.1, {"tape": "0x2"}] for name, text in core_mutants.texts_of(items).items()]
        write("survey", "".join(f"{json.dumps(row)}\n" for row in rows))

    def known() -> list[str]:
        return list(loop.rows(tmp_path / "survey", core_mutants.texts_of(items)))

    assert known() == []
    survey()
    assert known() == ["test_calls.py", "test_loops.py"]
    tests[0].write_text("x = 1")
    assert known() == ["test_loops.py"]
    for path in (package, helper):
        survey()
        path.write_text("x = 2")
        assert known() == []
    survey()
    write("d2lhybrid/loops.py", "")
    assert known() == []
