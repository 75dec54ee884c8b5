"""Every recorded error of real MXNet: class, bases and message."""

import json
import re
import warnings
from pathlib import Path

import pytest

import d2lhybrid as mx

CASES = json.loads((Path(__file__).parents[1] / "golden_data/text/errors.json").read_text(encoding="utf-8"))["cases"]


def without_numbers(message):
    """Return a message with what depends on the run left out, and this package's modules as MXNet's."""
    message = message.replace("d2lhybrid.", "mxnet.").strip()
    return re.sub(r"\d+", "#", re.sub(r"0x[0-9a-f]+", "0x#", message))


@pytest.fixture(autouse=True)
def scratch(tmp_path, monkeypatch):
    (tmp_path / "scratch").mkdir()
    monkeypatch.chdir(tmp_path)
    yield
    mx.util.reset_np()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_error(case):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(Exception) as caught:
            exec(case["code"], {"mx": mx})
    error = caught.value
    bases = [c.__name__ for c in type(error).__mro__ if c not in (BaseException, object, mx.error.ShapeError)]
    assert bases == case["mro"]
    assert without_numbers(str(error)) == without_numbers(case["message"])
