"""What a picture takes in a saved notebook, and the work that is done for it: bytes and counts, not seconds."""

import importlib.util
import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from d2lhybrid import compile_steps, config, live, nd, print_trace
from d2lhybrid.gluon import nn, rnn
from d2lhybrid.gluon.model_zoo import vision
from d2lhybrid.internals.pictures import net_graph
from d2lhybrid.internals.pictures.columns import columns_of, rows_of
from d2lhybrid.internals.pictures.picture import to_json
from d2lhybrid.internals.pictures.steps.sending import sent
from d2lhybrid.internals.pictures.widgets import page
from d2lhybrid.internals.pictures.widgets.page import embedded
from d2lhybrid.name import NameManager

pytest.importorskip("anywidget", reason="a notebook's pictures are widgets")

FILE = Path(__file__).resolve().parent.parent / "benchmarks" / "picture_sizes.py"


@pytest.fixture(scope="module")
def sizes():
    spec = importlib.util.spec_from_file_location("picture_sizes", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# --- a promise: under 60 kB -----------------------------------------------------------------------------

OF_A_NET = ["print_trace", "compile_steps", "compile_steps, record=True", "graph", "graph, backward=True"]
CASES = [(net, title) for net in ("perceptron", "LeNet", "ResNet-18", "500 nodes") for title in OF_A_NET]
CASES += [("LeNet", "compare"), ("LeNet", "compare_over"), ("none", "text_steps"), ("none", "predict")]


@pytest.mark.parametrize(("net", "title"), CASES, ids=lambda text: text)
def test_every_picture_takes_less_than_sixty_kilobytes(sizes, net, title):
    make = (sizes.OTHERS if net == "none" else sizes.pictures_of(net))[title]
    found = sizes.bytes_of(make())
    assert found["all"] < 60_000, found


class Nested(nn.HybridBlock):
    def __init__(self, depth, **kwargs):
        super().__init__(**kwargs)
        self.inner = Nested(depth - 1) if depth else nn.Dense(3, activation="relu")
        self.extra = nn.Dense(3)

    def hybrid_forward(self, F, x):
        print("inside")
        return self.inner(x) + self.extra(x)


class Talks(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        for i in range(10_000):
            print("line", i)
        return x * 2


class HundredSteps(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.cell = rnn.LSTMCell(4)

    def hybrid_forward(self, F, x):
        return self.cell.unroll(100, x, layout="NTC", merge_outputs=True)[0]


STRANGE = {"nested six deep": lambda: Nested(6), "ten thousand lines": Talks, "a hundred steps": HundredSteps}
SEEN = {
    "print_trace": print_trace,
    "live": live,
    "graph, backward=True": lambda net, x: net.graph(x, backward=True),
    "compile_steps, record=True": lambda net, x: compile_steps(net, x, record=True, measure=False),
}


@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("name", STRANGE)
def test_so_does_a_picture_of_a_net_that_it_was_not_made_for(sizes, name, seen, capsys):
    with NameManager(), config(lang="zh"):  # names as in a fresh notebook; letters of three bytes
        net = STRANGE[name]()
        net.initialize()
        picture = SEEN[seen](net, nd.ones((2, 100, 3) if name == "a hundred steps" else (2, 3)))
        found = sizes.bytes_of(picture)
    assert found["all"] < 60_000, found
    if name == "ten thousand lines" and seen == "print_trace":
        assert picture.calls[0].printed_lines == 10_000 and str(picture).count("line ") < 300


@pytest.mark.parametrize("name", ["perceptron", "LeNet"])
def test_the_scripts_leave_room_for_all_data_of_a_net_of_the_lessons(sizes, name):
    """Script and data share a page of limited size: a script that grew too much would displace what a picture shows."""
    net, x = sizes.net_of(name)
    graph = net.graph(x, backward=True)
    assert graph.to_dict() == graph.to_dict(math.inf)
    seen = live(net, x)
    assert seen.to_dict()["graph"] == seen.graph.to_dict(math.inf)
    steps = compile_steps(net, x, record=True, measure=False)
    assert steps.to_dict() == sent(steps, math.inf)


def test_a_script_that_leaves_less_room_displaces_data(sizes, monkeypatch):
    net, x = sizes.net_of("500 nodes")
    graph = net.graph(x)
    shorter = graph.to_dict(2_000)
    assert len(to_json(shorter)) < len(to_json(graph.to_dict()))
    monkeypatch.setattr(page, "room_for_data", lambda name: 2_000)
    assert graph.to_dict() == shorter


def test_what_has_no_place_in_the_stepper_is_not_sent_with_it():
    net = HundredSteps()
    net.initialize()
    data = compile_steps(net, nd.ones((2, 100, 3)), measure=False).to_dict()
    drawn = {box[0] for drawing in data["drawings"] if drawing for box in drawing["b"]}
    for one in (*data["milestones"], *(step for m in data["milestones"] for step in m["s"])):
        assert {*one.get("m", ()), *one.get("g", ()), *one.get("y", ())} <= drawn
    lines = len(data["programs"]["forward"]["l"])
    assert all(bar[1] <= lines for _, bars in data["buffers"]["forward"] for bar in bars)


@pytest.mark.slow
def test_the_backward_pass_of_a_deep_net_takes_less_than_sixty_kilobytes(sizes):
    net = vision.densenet121()
    net.initialize()
    graph = net.graph(nd.ones((1, 3, 224, 224)), backward=True)
    found = sizes.bytes_of(graph)
    assert found["all"] < 60_000, found
    assert len(graph.to_dict()["scenes"]["backward"]["b"]) < 60  # what was kept is in the boxes of those who made it


def test_the_data_of_five_hundred_nodes_compress_to_a_quarter_of_what_they_did(sizes):
    found = sizes.bytes_of(sizes.pictures_of("500 nodes")["graph"]())
    assert found["unpacked"] > 300_000 and found["data"] < 12_000  # as JSON: 50 kB


# --- nothing is lost, and nothing is cut silently -------------------------------------------------------

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text("a1 0\x7f{é", max_size=6),
    lambda inner: st.lists(inner, max_size=9) | st.dictionaries(st.text("ab10_", max_size=3), inner, max_size=4),
    max_leaves=60,
)


@given(PLAIN)
def test_columns_are_the_same_data(data):
    (back,) = rows_of(json.loads(to_json(columns_of(data))))
    assert json.dumps(back) == json.dumps(data)  # also the order of names, and 1.0 is no 1


@given(st.lists(st.sampled_from(["n7", "n8", "n08", "b 10 of 11", "b 2 of 11", "\x7f1", "7.05"]), min_size=4))
def test_texts_with_numbers_are_the_same_texts(texts):
    assert rows_of(columns_of(texts)) == [texts]


@pytest.mark.parametrize("record", [False, True])
def test_a_static_picture_says_of_each_chapter_what_it_leaves_out(sizes, record):
    steps = compile_steps(*sizes.net_of("LeNet"), record=record, measure=False)
    everything = steps.to_html()
    assert "too large for a saved page" not in everything and "<script" not in everything
    for room in (40_000, 20_000, 8_000, 0):
        page = steps.to_html_within(room)
        assert page.count("<details") == len(steps.chapters)
        pictures = everything.count("<img") + everything.count("<pre")
        assert page.count("<img") + page.count("<pre") + page.count("too large for a saved page") == pictures
        told = [c for c in steps.chapters if c.kind != "code" and len(c.steps) > 24]
        assert page.count("more steps") >= len(told)
        assert len(page.encode()) <= max(room, 9_000)
    assert steps.to_html() == everything and "too large for a saved page" in steps.to_html_within(8_000)


def test_a_graph_without_room_says_so(sizes):
    graph = sizes.pictures_of("LeNet")["graph"]()
    everything = graph.to_html()
    assert everything.count("<img") == 1 and "too large for a saved page" not in everything
    page = graph.to_html_within(0)
    assert "too large to stay in a notebook" in page and "<img" not in page
    assert page.count("too large for a saved page") == page.count("<details") == everything.count("<details")


@pytest.mark.parametrize(("net", "said"), [("perceptron", False), ("ResNet-18", True)])
def test_stages_that_are_left_out_are_said_to_be(sizes, net, said):
    graph = sizes.pictures_of(net)["graph, backward=True"]()
    ways = graph.to_dict()["ways"]
    assert any("left out" in stop[3] for _, _, stops in ways for stop in stops) == said
    if said:
        name = next(view for view in graph.views if view not in graph.to_dict()["scenes"])
        graph.show(name)
        assert name in graph.to_dict()["scenes"]


def test_a_page_in_a_file_leaves_nothing_out(sizes):
    steps = sizes.pictures_of("ResNet-18")["compile_steps, record=True"]()
    assert "too large for a saved page" in embedded(steps) and "too large for a saved page" not in embedded(
        steps, saved=True
    )


# --- the work -------------------------------------------------------------------------------------------


def test_each_graph_is_given_places_once_until_something_opens(sizes, monkeypatch):
    graph = sizes.pictures_of("500 nodes")["graph"]()
    placed = []
    scene_of = net_graph.scene_of

    def counted(model, *rest):
        placed.append(model.title)
        return scene_of(model, *rest)

    monkeypatch.setattr(net_graph, "scene_of", counted)
    graph._repr_mimebundle_()
    graph.widget().to_page()
    first = len(placed)
    assert first == len(graph.to_dict()["scenes"])  # the widget, its page and the static picture share them
    graph.to_svg()
    assert len(placed) == first
    graph.parameters = not graph.parameters
    graph.to_svg()
    assert len(placed) == first + 1
