"""05.2: the graph file, read by hand."""

from __future__ import annotations

import json

import numpy

from ...exercise import Exercise, Mistake
from ...results import Wrong, expect
from ...subject import Subject
from .made import saved_net


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    for _ in range(4):
        files = saved_net(rng).files
        graph = {name: data for name, data in files.items() if name.endswith(".json")}
        nodes = json.loads(graph["net-symbol.json"])["nodes"]
        right = [node["op"] for node in nodes if node["op"] != "null"]
        got = subject.ask("call_on_files", "called with a graph file", contents=graph, args=[])["result"]
        where = f"For a net with {len(right)} operators"
        expect(isinstance(got, list), f"{where} the function returns no list.")
        if got == right:
            continue
        expect("null" not in got, f"{where} there is `null` in the list: what are these nodes?")
        if got == [node["name"] for node in nodes if node["op"] != "null"]:
            raise Wrong(f"{where} the list has the names of the nodes, such as `{got[0]}`.")
        if sorted(map(str, got)) == sorted(right):
            raise Wrong(f"{where} the list has the right operators in another order.")
        if set(map(str, got)) == set(right):
            raise Wrong(f"{where} the list has {len(got)} entries: operators that are used again are missing.")
        raise Wrong(f"{where} the list is another one: {len(got)} entries.")


EXERCISE = Exercise(
    number="05.2",
    title="Read the graph",
    answer="operators_in",
    task="""
Write `operators_in(file)`. `file` is the path of a `-symbol.json` file. The function returns the list of the names of
its operators, such as `["FullyConnected", "Activation", "FullyConnected"]`, in the order of the file.

Use Python's `json` alone. Look at such a file first: export a net and print it.
""",
    starter="""
import json


def operators_in(file):
    ...
""",
    solution_code="""
import json


def operators_in(file):
    with open(file) as stream:
        nodes = json.load(stream)["nodes"]
    return [node["op"] for node in nodes if node["op"] != "null"]
""",
    hints=(
        "The file is one dictionary. Which of its entries holds a list with names and inputs?",
        'Each of the `"nodes"` has an `"op"`. What are those whose `"op"` is `"null"`?',
        'Variables, that is inputs and parameters, have the operator `"null"`: leave them out.',
    ),
    checker=_check,
    insight="A graph file is a list of nodes with the numbers of their inputs; any language can read it.",
    mistakes=(
        Mistake(
            "variables, too",
            "import json\ndef operators_in(file):\n    return [n['op'] for n in json.load(open(file))['nodes']]",
            "there is `null` in the list",
        ),
        Mistake(
            "names",
            "import json\ndef operators_in(file):\n"
            "    return [n['name'] for n in json.load(open(file))['nodes'] if n['op'] != 'null']",
            "the names of the nodes",
        ),
        Mistake(
            "each one once",
            "import json\ndef operators_in(file):\n    ops = [n['op'] for n in json.load(open(file))['nodes']]\n"
            "    return list(dict.fromkeys(o for o in ops if o != 'null')) + [] * 2",
            "are missing",
        ),
        Mistake(
            "backwards",
            "import json\ndef operators_in(file):\n"
            "    return [n['op'] for n in json.load(open(file))['nodes'] if n['op'] != 'null'][::-1]",
            "in another order",
        ),
        Mistake("a text", "def operators_in(file):\n    return open(file).read()", "returns no list"),
        Mistake("hard-coded", "def operators_in(file):\n    return ['FullyConnected', 'Activation']", "For a net with"),
    ),
)
