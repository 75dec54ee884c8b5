"""The exercises of chapter 09 ask for what the frameworks really do: compared with the recording, and with real JAX."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from judged import ANSWERS, answer, right_answers, verdict

from d2lhybrid.exercises import ex
from d2lhybrid.internals.course.exercises.tasks.and_the_others.predict_the_others import task as predict
from d2lhybrid.internals.course.exercises.tasks.and_the_others.what_is_the_key import task as key
from d2lhybrid.internals.pictures.others import recording

from .others import __main__ as recorder

#: Program -> what differs between its calls, and the calls that are of one kind.
_DIFFERENT = {"batch": ("shapes", [2, 3, 4, 5]), "print": ("shapes", [2, 2, 3, 3]), "dtype": ("types", "fif"),
              "if_flag": ("flags", [True, False, True])}  # fmt: skip


def _calls(program, framework):
    return recording.program(program)["runs"][framework]["calls"]


def test_predictions_are_what_was_recorded():
    assert predict.recorded() == answer(ex("09.1"), ex("09.1").solution_code)


@pytest.mark.parametrize("framework", ["gluon", "jax", "tensorflow"])
@pytest.mark.parametrize("program", _DIFFERENT)
def test_keys_are_those_that_were_recorded(framework, program):
    part, differ = _DIFFERENT[program]
    seen, expected = set(), []
    for one in differ:
        filed = "any" if key.shares_a_trace(framework, part) else one
        expected.append(filed not in seen)
        seen.add(filed)
    assert [call["kind"] in ("traced", "again") for call in _calls(program, framework)] == expected


def test_guards_trace_as_often_as_pytorch_did():
    """The solution, on the attribute of the gallery's program: 2, 5, 5."""
    attributes, traces = {"scale": 2.0}, []

    def trace():
        traces.append(dict(attributes))
        scale = attributes["scale"]
        return lambda x: x * scale

    guarded: Any = answer(ex("09.3"), ex("09.3").solution_code)
    fast = guarded(trace, lambda: attributes)
    seen, values = [], []
    for scale in (2.0, 5.0, 5.0):
        attributes["scale"], before = scale, len(traces)
        values.append(fast(1.0))
        seen.append(len(traces) > before)
    calls = _calls("attribute", "torch")
    assert seen == [call["kind"] in ("traced", "again") for call in calls]
    assert values == [call["numbers"][0] for call in calls]


_IN_JAX = """
import json, sys
import jax, jax.numpy as jnp
found = {}
for name, code in json.load(sys.stdin).items():
    space = {}
    try:
        exec(code, space)
        step, total, count, seen = jax.jit(space["average"]), jnp.zeros(2), jnp.zeros(2), []
        for x in (1.0, 5.0, 6.0):
            total, count, mean = step(total, count, jnp.full(2, x))
            seen.append([float(mean[0]), float(count[0])])
        found[name] = seen
    except Exception as error:
        found[name] = type(error).__name__
print(json.dumps(found))
"""


@pytest.mark.slow
def test_state_as_a_value_is_judged_as_real_jax_judges_it():
    python = recorder.interpreter_of("jax")
    if not Path(python).exists():
        pytest.skip("jax is in no environment of its own here: make others makes it")
    exercise, folder = ex("09.4"), ANSWERS / "and_the_others" / "state_as_a_value"
    answers = right_answers(exercise) | {"solution": exercise.solution_code}
    answers |= {path.stem: path.read_text("utf-8") for path in sorted(folder.glob("mistakes/*.py"))}
    done = subprocess.run(
        [python, "-W", "ignore", "-c", _IN_JAX], input=json.dumps(answers), capture_output=True, text=True, check=True,
        env=os.environ | {"JAX_PLATFORMS": "cpu"},
    )  # fmt: skip
    right = [[1.0, 1.0], [3.0, 2.0], [4.0, 3.0]]
    found = json.loads(done.stdout)
    assert {name: found[name] == right for name in answers} == {
        name: verdict(exercise, code, 0).right for name, code in answers.items()
    }
