"""What is printed fits the terminal, whatever its encoding."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from d2lhybrid.internals.support.printing import printable, printed, spell_on

ROOT = Path(__file__).resolve().parent.parent

PROGRAM = '''
import sys
import warnings

import d2lhybrid as mx
from d2lhybrid import exercises, nd
from d2lhybrid.internals.commands import cli
from d2lhybrid.gluon import nn

warnings.simplefilter("ignore")


class Scaled(nn.HybridBlock):
    """A net whose own lines hold × and 中文."""

    def __init__(self):
        super().__init__()
        self.calls = 0
        self.dense = nn.Dense(3)

    def hybrid_forward(self, F, x):
        self.calls += 1  # × 中文
        print("in hybrid_forward")
        y = self.dense(x) * self.calls  # µ → …
        return F.relu(y)


def net():
    made = Scaled()
    made.initialize()
    return made


def broken():
    class Broken(nn.HybridBlock):
        def hybrid_forward(self, F, x):
            return x.reshape(x.shape[0], -1)  # 中 ×

    made = Broken()
    made.hybridize()
    try:
        made(nd.ones((2, 3)))
    except Exception as error:
        return mx.error_lens(error)


def sequential():
    made = nn.HybridSequential()
    made.add(nn.Dense(256, activation="relu"), nn.Dense(2))
    made.initialize()
    return made


x = nd.ones((2, 5))
exercise = exercises.exercises()[0]
for language in ("en", "zh"):
    mx.config(lang=language)
    hybridized = sequential()
    hybridized.hybridize()
    hybridized(x)
    for made in (
        lambda: mx.print_trace(net(), x),
        lambda: mx.check_hybridization(net(), x),
        broken,
        lambda: hybridized.explain(x, profile=True),
        lambda: hybridized.programs[0].source,
        lambda: sequential().graph(x),
        lambda: sequential().graph(x).model,
        lambda: mx.compile_steps(sequential(), x),
        lambda: mx.text_steps("print(1 + 2 + 3)"),
        lambda: mx.live(nn.HybridLambda(lambda F, x: x * 2), nd.ones((2,))),
        lambda: mx.compare(sequential(), x, rounds=4, seconds=0.02),
        lambda: mx.compare_over(sequential(), [1, 2], x, rounds=4, seconds=0.02),
        lambda: exercises.progress(),
        lambda: exercise,
        lambda: exercise.hint(),
        lambda: exercise.solution(),
        lambda: exercise.check(None),
    ):
        shown = made()
        print(type(shown).__name__)
        print(shown)
        print([shown])
    sequential().summary(x)
for command in (["doctor"], ["explain"], ["explain", "H03"], ["lesson", "中×.ipynb"]):
    cli.main(command)
'''


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "gbk"])
def test_every_text_can_be_printed_on_a_terminal_of_this_encoding(encoding, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, "utf-8")
    environment = {
        **os.environ,
        "PYTHONIOENCODING": encoding,
        "PYTHONUTF8": "0",
        "PYTHONPATH": str(ROOT),
        "D2LHYBRID_DATA": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, str(path)], env=environment, cwd=tmp_path, capture_output=True, check=False, timeout=300
    )
    output = done.stdout.decode(encoding)
    assert done.returncode == 0, done.stderr.decode(encoding, "replace") + output[-500:]
    assert "Traceback" not in output
    assert ("中文" in output) == (encoding == "gbk")
    assert ("×" in output) == (encoding != "ascii")


def stream(encoding):
    return io.TextIOWrapper(io.BytesIO(), encoding)


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [
        ("utf-8", "2×256 → µ █ 中 \U0001f600"),
        ("cp1252", "2×256 -> µ # \\u4e2d \\U0001f600"),
        ("ascii", "2x256 -> u # \\u4e2d \\U0001f600"),
        ("gbk", "2×256 → u █ 中 \\U0001f600"),
    ],
)
def test_a_character_that_is_missing_is_spelled(encoding, expected):
    assert printable("2×256 → µ █ 中 \U0001f600", stream(encoding)) == expected


def test_a_stream_without_an_encoding_takes_everything():
    assert printable("×", io.StringIO()) == "×"


def test_half_a_character_is_no_reason_to_fail():
    assert printable("\udc80", stream("utf-8")) == "\\udc80"


def test_the_text_follows_the_stream_of_the_moment(monkeypatch):
    class Cross:
        @printed
        def __repr__(self):
            return "×"

    monkeypatch.setattr(sys, "stdout", stream("ascii"))
    ours = str(Cross())
    monkeypatch.setattr(sys, "stdout", stream("cp1252"))
    assert (ours, str(Cross())) == ("x", "×")


def test_a_stream_that_spells():
    strict, lenient = stream("ascii"), io.TextIOWrapper(io.BytesIO(), "ascii", errors="replace")
    spell_on(strict, lenient, None, io.StringIO())
    for file in (strict, lenient):
        file.write("2×3")
        file.flush()
    assert (strict.buffer.getvalue(), lenient.buffer.getvalue()) == (b"2x3", b"2?3")
