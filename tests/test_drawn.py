"""Graphs of other frameworks in our picture of graphs: each recorded one is drawn, and its boxes know their lines."""

import re

import pytest

from d2lhybrid.internals.pictures.graph_family import FAMILIES
from d2lhybrid.internals.pictures.others import drawn, of_jax, recording
from d2lhybrid.internals.pictures.others.side_by_side import side_by_side

GRAPHS = {"Symbol", "FX graph", "exported FX graph", "jaxpr", "FuncGraph"}
RECORDED = [
    (f"{one['name']} {framework} {n}", graph)
    for one in recording.read()["programs"]
    for framework, run in one["runs"].items()
    for n, graph in enumerate(run["graphs"])
]
DRAWN = {name: graph for name, graph in RECORDED if graph["title"] in GRAPHS}


def _model(name):
    graph = DRAWN[name]
    found = drawn.model_of(graph["title"], graph["text"], graph["lines"])
    assert found is not None
    return found


def test_code_is_no_graph():
    titles = {graph["title"] for _, graph in RECORDED}
    assert titles - GRAPHS == {"compiled program", "Inductor's code", "HLO, optimised", "autograph's source"}
    for _, graph in RECORDED:
        drawing = drawn.drawing_of(graph["title"], graph["text"], graph["lines"])
        assert (drawing is None) == (graph["title"] not in GRAPHS)


@pytest.mark.parametrize("name", DRAWN)
def test_each_recorded_graph_is_whole(name):
    model, lines = _model(name)
    assert model.outputs, "what a graph returns has an arrow"
    reached, queue = set(), [node for node, _ in model.outputs]
    while queue:
        node = queue.pop()
        if node not in reached:
            reached.add(node)
            queue += [i.node for i in model.by_id[node].inputs]
    operators = {node.id for node in model.operators}
    # TensorFlow keeps the sum whose gradient was asked for; JAX, too, and calls it "_".
    # What a decision returns besides its value is taken by nobody.
    assert len(operators - reached) <= (2 if "tensorflow" in name or "jax" in name else 0), operators - reached
    assert all(node.family in FAMILIES for node in model.operators)
    told = {line for line in DRAWN[name]["lines"] if line}
    assert {lines[node] for node in operators} - {0} == told or not told or "cond" in name
    sources = {"random_uniform", "rand", "broadcast_in_dim"}
    assert all(node.inputs or node.title in sources for node in model.operators)


@pytest.mark.parametrize(
    ("name", "titles"),
    [
        ("block gluon 0", ["FullyConnected", "relu", "FullyConnected"]),
        ("block torch 0", ["linear", "relu", "linear"]),
        ("block jax 0", ["dot_general", "relu", "dot_general"]),
        ("block tensorflow 0", ["ReadVariableOp", "MatMul", "Relu", "ReadVariableOp", "MatMul", "Identity"]),
        ("inplace torch 0", ["setitem", "*"]),
        ("cond torch 0", ["sum", ">", "cond", "getitem"]),
        ("cond jax 0", ["reduce_sum", "gt", "convert_element_type", "cond"]),
        ("random jax 0", ["_uniform", "add"]),
    ],
)
def test_its_operators_are_those_of_the_text(name, titles):
    model, _ = _model(name)
    assert [node.title for node in model.operators] == titles


def test_an_assignment_to_an_element_comes_before_what_reads_it():
    model, _ = _model("inplace torch 0")
    assign, times = model.operators
    assert assign.summary == "[0] = 0" and [i.node for i in times.inputs] == [assign.id]


def test_shapes_are_read_and_sizes_with_names_are_not_known():
    model, _ = _model("batch torch 2")
    assert [str(node.outputs[0]) for node in model.nodes if node.kind == "input"] == ["", "float32 ?×3"]
    assert [str(node.outputs[0]) for node in _model("cond jax 0")[0].operators][1:3] == ["bool scalar", "int32 scalar"]


def test_a_picture_has_a_drawing_for_each_graph_and_a_line_for_its_boxes():
    for run in side_by_side("block").to_dict()["programs"][0]["runs"][1:]:
        _, title, _, lines, drawing = run["graphs"][0]
        assert title in GRAPHS and {*drawing["at"].values()} == {*lines} - {0}
        assert {*drawing["at"]} <= {box[0] for box in drawing["b"]}


def test_what_cannot_be_read_stays_text():
    assert drawn.drawing_of("jaxpr", ["\x1b[1mlambda\x1b[0m"], [0]) is None
    assert drawn.drawing_of("FX graph", ["class GraphModule:", "  y = x ="], [0, 1]) is None


def test_a_jaxpr_is_asked_for_without_colours():
    """JAX colours what it prints where IPython runs: then no line was found, and nothing was linked."""
    asked = []

    class Jaxpr:
        def pretty_print(self, **options):
            asked.append(options)
            dim = ("", "") if options.get("use_color") is False else ("\x1b[2m", "\x1b[22m")
            return f"{{ lambda ; a:f32[2]. let\n    b:f32[2] = sin a{dim[0]} # cell.py:8:8 (f){dim[1]}\n  in (b,) }}"

    graph = of_jax.jaxpr_of(Jaxpr(), "cell.py")
    assert graph.lines == [0, 8, 0] and graph.text[1] == "    b:f32[2] = sin a"
    assert of_jax._used(Jaxpr(), "cell.py") == {8} and len(asked) == 2


def test_the_recording_holds_no_places_in_memory():
    assert not [name for name, graph in RECORDED if re.search(r"0x[0-9a-f]{6}", "\n".join(graph["text"]))]
