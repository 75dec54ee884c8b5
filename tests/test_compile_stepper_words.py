"""Every sentence of the stepper has its translation, with the same places to fill in."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import d2lhybrid
from d2lhybrid.internals.pictures.compile_steps import compile_steps
from d2lhybrid.internals.pictures.steps import passes
from d2lhybrid.internals.pictures.text_steps import WHY
from d2lhybrid.internals.pictures.text_steps_data import TextSteps  # noqa: F401  with it come its words
from d2lhybrid.internals.support import words

FOLDER = Path(d2lhybrid.__file__).parent / "internals" / "pictures"
FILES = [*FOLDER.glob("steps/*.py"), *FOLDER.glob("text_*.py"), FOLDER / "compile_steps.py"]


def sentences() -> set[str]:
    found = {*passes._SENTENCES.values(), passes._GRADIENT, *WHY.values()}
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_call = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "translate"
            if is_call and isinstance(node.args[0], ast.Constant):
                found.add(node.args[0].value)
    return found


def test_every_sentence_is_translated() -> None:
    assert compile_steps is not None  # with it come the words
    assert not {text for text in sentences() if text not in words._CHINESE}


def test_translations_have_the_same_places() -> None:
    for text in sentences():
        assert sorted(re.findall(r"{\w+}", text)) == sorted(re.findall(r"{\w+}", words._CHINESE[text])), text
