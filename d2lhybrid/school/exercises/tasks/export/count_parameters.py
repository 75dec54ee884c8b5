"""05.3: the parameter file."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...results import Wrong, expect
from ...subject import Subject
from .made import saved_net


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    seen_states = 0
    while seen_states < 2:
        net, _, files = saved_net(rng)
        parameters = {name: data for name, data in files.items() if name.endswith(".params")}
        every = list(net.collect_params().values())
        learned = [p for p in every if p.grad_req != "null"]
        states = len(every) - len(learned)
        seen_states += states > 0
        right = sum(int(numpy.prod(p.shape)) for p in learned)
        got = subject.ask("call_on_files", "called with a file of parameters", contents=parameters, args=[])["result"]
        where = f"For a file with {len(every)} arrays, {states} of them states of BatchNorm,"
        expect(isinstance(got, int | float), f"{where} the function returns no number.")
        if got == right:
            continue
        if got == len(learned) or got == len(every):
            raise Wrong(f"{where} the function returns {got:g}: that is how many arrays there are, not numbers.")
        if states and got == sum(int(numpy.prod(p.shape)) for p in every):
            raise Wrong(f"{where} the function returns {got:g}: that counts what nobody learns, too.")
        if got == sum(p.shape[0] for p in learned):
            raise Wrong(f"{where} the function returns {got:g}: the first axis alone, of each array.")
        raise Wrong(f"{where} the function does not return the number of learned numbers but {got:g}.")


EXERCISE = Exercise(
    number="05.3",
    title="How many numbers were learned?",
    answer="learned_numbers",
    task="""
Write `learned_numbers(file)`. `file` is the path of a `.params` file that `export` has written. The function returns
how many numbers the training has learned: the elements of all weights, biases and so on.

`nd.load(file)` reads the file. Look at the names in it: some of the arrays are not learned but only kept, the running
mean and variance of `BatchNorm`. They do not count.
""",
    starter="""
def learned_numbers(file):
    ...
""",
    solution_code="""
def learned_numbers(file):
    return sum(array.size for name, array in nd.load(file).items() if name.startswith("arg:"))
""",
    hints=(
        "`nd.load` gives a dictionary of names and arrays. How do the names begin?",
        "`arg:` are arguments of the graph, `aux:` are auxiliary states.",
        "Each array has `size` elements.",
    ),
    checker=_check,
    insight="The prefix says who changes an array: `arg:` the trainer, `aux:` the operator itself.",
    mistakes=(
        Mistake("counts arrays", "def learned_numbers(file):\n    return len(nd.load(file))", "not numbers"),
        Mistake(
            "counts states",
            "def learned_numbers(file):\n    return sum(a.size for a in nd.load(file).values())",
            "counts what nobody learns",
        ),
        Mistake(
            "first axis only",
            "def learned_numbers(file):\n    return sum(len(a) for n, a in nd.load(file).items() if n[:3] == 'arg')",
            "the first axis alone",
        ),
        Mistake(
            "the bytes", "def learned_numbers(file):\n    return len(open(file, 'rb').read())", "learned numbers but"
        ),
        Mistake("a list", "def learned_numbers(file):\n    return list(nd.load(file))", "returns no number"),
        Mistake("hard-coded", "def learned_numbers(file):\n    return 1000", "learned numbers but"),
    ),
)
