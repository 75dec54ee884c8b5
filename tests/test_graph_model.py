"""The data of a graph are those of what was traced and compiled."""

import itertools
import json
import linecache
import re
import shutil
import subprocess
import tempfile
import time
from xml.etree import ElementTree

import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd, sym
from d2lhybrid.gluon import nn
from d2lhybrid.gluon.contrib.nn import HybridConcurrent
from d2lhybrid.gluon.model_zoo import vision
from d2lhybrid.internals.pictures import graph_data
from d2lhybrid.internals.pictures.graph_model import TensorInfo
from d2lhybrid.internals.pictures.graph_sources import sources_of
from d2lhybrid.internals.pictures.graph_svg import draw_scene
from d2lhybrid.internals.reports.costs import bytes_of, flops_of
from d2lhybrid.viz import NetGraph


class Net(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.hidden = nn.Dense(8, activation="relu")
            self.output = nn.Dense(2)

    def hybrid_forward(self, F, x):
        h = self.hidden(x)
        h = F.tanh(h) * 2
        return self.output(h)


def line_of(text):
    with open(__file__) as file:
        return next(i for i, line in enumerate(file, 1) if text in line)


@pytest.fixture
def net():
    net = Net(prefix="net_")
    net.initialize()
    return net


X = nd.ones((3, 4))


def test_the_nodes_are_those_of_the_program(net):
    net.hybridize()
    net(X)
    model = net.graph(X).forward
    graph = net.programs[0].graph
    assert [node.name for node in model.nodes] == [node.name for node in graph.nodes]
    for node, real in zip(model.nodes, graph.nodes, strict=True):
        assert node.operator == ("" if real.op is None else real.op.name)
        assert [i.node for i in node.inputs] == [n.name for n, _ in real.inputs]
        assert [(t.shape, t.dtype) for t in node.outputs] == [
            (graph.types[real, i].shape, graph.types[real, i].dtype.name) for i in range(real.num_outputs)
        ]
        if real.op is not None:
            assert (node.flops, node.bytes) == (flops_of(real, graph.types), bytes_of(real, graph.types))
    assert net.graph().forward == model


def test_another_net_has_another_graph(net):
    before = {node.operator for node in net.graph(X).forward.operators}
    Net.hybrid_forward, old = lambda self, F, x: self.output(F.sigmoid(self.hidden(x))), Net.hybrid_forward
    try:
        net.hybridize()
        after = {node.operator for node in net.graph(X).forward.operators}
    finally:
        Net.hybrid_forward = old
    assert "tanh" in before and "sigmoid" not in before
    assert "sigmoid" in after and "tanh" not in after


def test_a_node_knows_the_line_that_made_it_and_the_lines_that_run_it(net):
    graph = net.graph(X)
    nodes = {node.operator: node for node in graph.forward.operators}
    assert nodes["tanh"].source == (__file__, line_of("h = F.tanh(h) * 2"))
    assert nodes["Activation"].source == (__file__, line_of("h = self.hidden(x)"))
    for node in graph.forward.operators:
        assert node.lines
        for function, number in node.lines:
            line = graph.programs[function].splitlines()[number - 1]
            assert re.search(rf"\b{node.name.removeprefix('net_').lstrip('_')}\b", line)


def test_blocks_are_groups(net):
    model = net.graph(X).forward
    assert [(g.label, g.kind) for g in model.groups.values()] == [("hidden", "Dense")]
    assert [n.operator for n in model.members["/hidden"]] == ["FullyConnected", "Activation"]
    output = next(n for n in model.operators if n.path == "output")
    assert output.operator == "FullyConnected" and output.group == ""  # one operator is no group


def test_groups_are_nested_as_the_blocks_are():
    model = vision.resnet18_v1(prefix="resnet_").graph(nd.ones((1, 3, 32, 32))).forward
    body = model.groups["/features/4/0/body"]
    assert (body.kind, body.parent) == ("HybridSequential", "/features/4/0")
    assert model.groups[body.parent].kind == "BasicBlockV1"
    assert [n.operator for n in model.members["/features/4/0"]][-2:] == ["elemwise_add", "Activation"]
    # Convolution, ReLU, convolution: the normalisations are part of the convolutions.
    assert len(model.members["/features/4/0/body"]) == 3
    assert len(model.members["/features"]) + len(model.members["/output"]) == len(model.operators)


def test_a_block_that_is_called_twice_makes_two_groups():
    class Twice(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.layer = nn.Dense(4, activation="relu")

        def hybrid_forward(self, F, x):
            return self.layer(self.layer(x))

    groups = Twice().graph(nd.ones((2, 4))).forward.groups
    assert [g.label for g in groups.values()] == ["layer", "layer (call 2)"]


def test_parameters_are_told_from_data(net):
    model = net.graph(X).forward
    kinds = {node.name: node.kind for node in model.nodes if node.kind != "operator"}
    parameters = dict.fromkeys(net.collect_params().keys(), "parameter")
    assert kinds == {"data": "input"} | parameters


def test_nothing_runs_and_nothing_is_initialized(net):
    net.graph(X)
    assert net.hidden.weight.shape == (8, 0)
    assert net.programs == []


def test_the_trace_is_that_of_the_next_call(net, capsys):
    class Loud(nn.HybridBlock):
        def hybrid_forward(self, F, x):
            print("tracing")
            return x + 1

    loud = Loud()
    loud.hybridize()
    loud.graph(X)
    loud(X)
    assert capsys.readouterr().out == "tracing\n"


def test_the_program_of_a_call_is_found_again(net):
    net.hybridize()
    with autograd.record():
        net(X)
    net(nd.ones((5, 4)))
    assert net.graph(X, backward=True).programs["backward"] == net.programs[0].backward.text
    assert net.graph(nd.ones((5, 4))).programs["forward"] == net.programs[1].forward.text
    assert net.graph().forward.by_id["data"].outputs == (TensorInfo((5, 4), "float32"),)


def test_forward_and_backward_and_stages(net):
    graph = net.graph(X, backward=True)
    assert graph.views[:2] == ["forward", "backward"] and "4 differentiate" in graph.views
    backward = graph.model("backward")
    kinds = {node.kind for node in backward.nodes}
    assert {"operator", "gradient", "saved", "parameter"} <= kinds
    assert {line for node in backward.operators for line, _ in node.lines} == {"backward"}
    gradients = {backward.tensor(*output).shape for output in backward.outputs}
    assert gradients == {(8, 4), (8,), (2, 8), (2,)}
    whole = graph.model("4 differentiate")
    assert len(whole.operators) >= len(graph.forward.operators) + len(backward.operators)
    assert {"/hidden", "backward/hidden"} <= set(whole.groups)
    shared = {n.id for n in graph.model("traced").operators} & {n.id for n in graph.forward.operators}
    assert shared == {n.id for n in graph.forward.operators}, "a node keeps its id from stage to stage"


def test_a_fused_node_says_what_is_in_it_and_its_parts_know_its_line():
    net = nn.HybridLambda(lambda F, x: F.tanh(F.exp(x) * 2), prefix="fused_")
    graph = net.graph(nd.ones((1 << 18,)))
    fused = next(n for n in graph.forward.operators if n.operator == "_fused")
    assert fused.summary == "3 operators"
    first = graph.model(graph.views[1])
    assert {node.lines for node in first.operators} == {fused.lines}


def test_a_recurrent_layer_and_many_inputs():
    layer = gluon.rnn.LSTM(4)
    operators = [n.operator for n in layer.graph(nd.ones((3, 2, 5))).forward.operators]
    assert "RNN" in operators
    two = nn.HybridLambda(lambda F, a, b: F.broadcast_add(a, b))
    assert [n.name for n in two.graph(nd.ones((2, 1)), nd.ones((1, 3))).forward.nodes][:2] == ["data0", "data1"]


def test_a_symbol_with_and_without_shapes():
    net = sym.FullyConnected(sym.var("data"), num_hidden=3, name="fc")
    bare = NetGraph.of(net).forward
    assert bare.by_id["fc"].flops is None
    assert {n.name: n.kind for n in bare.nodes} == {
        "data": "input", "fc_weight": "parameter", "fc_bias": "parameter", "fc": "operator",
    }  # fmt: skip
    full = NetGraph.of(net, data=(2, 5)).forward
    assert str(full.by_id["fc_weight"].outputs[0]) == "float32 3×5" and full.by_id["fc"].flops == 66
    assert repr(net) == "<Symbol fc>"


def test_names_of_a_symbol_make_groups():
    x = sym.var("x")
    for stage in ("a", "b"):
        for i in range(2):
            x = sym.relu(x, name=f"net0_{stage}_relu{i}")
    groups = NetGraph.of(x).forward.groups
    assert [g.label for g in groups.values()] == ["a", "b"]


def test_what_was_kept_is_with_those_who_use_it():
    net = nn.HybridSequential()
    for _ in range(2):
        block = nn.HybridSequential()
        block.add(nn.Dense(4, activation="tanh"), nn.Dense(4, activation="tanh"))
        net.add(block)
    net.initialize()
    backward = net.graph(X, backward=True).backward
    kept = [node for node in backward.nodes if node.kind == "saved"]
    around = {}
    for node in kept:
        users = [edge.head for edge in backward.edges if edge.tail == node.id]
        inside = [{g for g, members in backward.members.items() if backward.by_id[u] in members} for u in users]
        mine = {g for g, members in backward.members.items() if node in members}
        assert mine == set.intersection(*inside)
        around[node.id] = mine
    assert len(around) == 4 and sum(map(bool, around.values())) == 3  # one is used on both sides of a border


def test_what_cannot_be_drawn_is_said(net):
    with pytest.raises(ValueError, match=r"There is no graph of net yet: pass inputs, as in net.graph\(x\)"):
        net.graph()
    with pytest.raises(TypeError, match="not int"):
        NetGraph.of(3)
    with pytest.raises(TypeError, match=r"Only a Symbol accepts shapes as keyword arguments \(data\)\."):
        NetGraph.of(net, data=(2, 3))
    with pytest.raises(TypeError, match="For a Symbol, pass shapes"):
        NetGraph.of(sym.var("x"), X)
    with pytest.raises(ValueError, match=r"has no input 'nothing'\. Its inputs: x"):
        NetGraph.of(sym.relu(sym.var("x")), nothing=(2,))
    with pytest.raises(ValueError, match=r"has no input 'x'\. Its inputs: none"):
        NetGraph.of(sym.zeros((2,)), x=(2,))
    graph = net.graph(X)
    with pytest.raises(ValueError, match=r"There is no graph 'sideways'\. The graphs are 'forward'"):
        graph.show("sideways")
    with pytest.raises(ValueError, match=r"There is no group 'nothing'\. The groups are /hidden"):
        graph.open("nothing")
    with pytest.raises(ValueError, match=r"^This graph has no groups$"):
        NetGraph.of(sym.relu(sym.var("x")), x=(2,)).open("nothing")
    with pytest.raises(ValueError, match=r"not as 'net.bmp'"):
        graph.save("net.bmp")
    with pytest.raises(ValueError, match="'auto', 'own', or 'dot', not 'best'"):
        net.graph(X, engine="best").scene()


def test_a_stage_a_program_and_a_graph(net):
    net.hybridize()
    net(X)
    program = net.programs[0]
    names = [n.name for n in program.graph.nodes]
    for thing in (program, program.stages[0], program.graph):
        assert [n.name for n in NetGraph.of(thing).forward.nodes] == names


def test_data_are_plain(net):
    graph = net.graph(X, backward=True)
    for view in graph.views:
        data = json.loads(json.dumps(graph.model(view).to_dict()))
        assert len(data["nodes"]) == len(graph.model(view).nodes)
        graph.show(view)
        json.dumps(graph.to_dict())


def test_find_opens_the_groups_around_what_it_finds():
    graph = vision.resnet18_v1().graph(nd.ones((1, 3, 32, 32)))
    graph.close_all()
    (hit,) = [found for found in graph.find("stage3_conv2_fwd") if found.kind == "operator"]
    assert hit.operator == "Convolution"
    assert hit.id in {box.id for box in graph.scene().boxes}
    assert graph.find("no such thing") == [] and graph.find("") == []
    graph.close_all()
    assert len(graph.find("convolution")) == 20
    assert len(graph.find("data", many=0)) >= 1


def test_open_and_close():
    graph = vision.resnet18_v1().graph(nd.ones((1, 3, 32, 32)))
    graph.close_all()
    boxes = [box.id for box in graph.scene().boxes]
    assert "/features" in boxes and len(boxes) == 4  # data, the features, the layer behind them, the output
    graph.open("/features/5/0")
    boxes = {box.id: box.kind for box in graph.scene().boxes}
    assert boxes["/features"] == boxes["/features/5/0"] == "frame" and boxes["/features/6"] == "group"
    graph.close("/features/5")
    assert {box.id: box.kind for box in graph.scene().boxes}["/features/5"] == "group"
    graph.open_all()
    assert sum(box.kind == "operator" for box in graph.scene().boxes) == len(graph.model().operators)


needs_dot = pytest.mark.skipif(not shutil.which("dot"), reason="Graphviz is not there")
ENGINES = ["own", pytest.param("dot", marks=needs_dot)]


def nets():
    branches = HybridConcurrent(axis=1)
    branches.add(nn.Dense(3, activation="relu"), nn.Dense(4, activation="tanh"), nn.Dense(5))
    return {"branches": (branches, (2, 6)), "resnet": (vision.resnet18_v1(), (1, 3, 32, 32)), "net": (Net(), (3, 4))}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["branches", "resnet", "net"])
def test_boxes_keep_apart_and_frames_hold_their_own(name, engine):
    net, shape = nets()[name]
    graph = net.graph(nd.ones(shape), backward=True, engine=engine)
    for view in graph.views:
        graph.show(view)
        scene, model = graph.scene(), graph.model()
        frames = {box.id: box for box in scene.boxes if box.kind == "frame"}
        solid = [box for box in scene.boxes if box.kind != "frame"]
        for i, a in enumerate(solid):
            assert a.x >= 0 and a.y >= 0 and a.x + a.width <= scene.width and a.y + a.height <= scene.height
            for b in solid[:i]:
                assert a.x + a.width <= b.x or b.x + b.width <= a.x or a.y + a.height <= b.y or b.y + b.height <= a.y
            around = set(model.groups_of(model.by_id[a.id])) if a.id in model.by_id else set()
            for frame in frames.values():
                inside = frame.x <= a.x and a.x + a.width <= frame.x + frame.width
                inside = inside and frame.y <= a.y and a.y + a.height <= frame.y + frame.height
                if a.id in model.by_id:
                    assert inside == (frame.id in around), (a.id, frame.id)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_picture_is_the_same_each_time(engine):
    first, second = (vision.resnet18_v1(prefix="r_").graph(nd.ones((1, 3, 32, 32)), engine=engine) for _ in range(2))
    assert first.to_svg() == second.to_svg()


def test_every_value_that_is_used_has_a_way_to_its_user():
    graph = vision.resnet18_v1().graph(nd.ones((1, 3, 32, 32)), engine="own")
    scene = graph.scene()
    visible = graph.visible()
    steps = {}
    for piece in scene.pieces:
        steps.setdefault((piece.net, piece.tail), []).append(piece.head)
    for edge in graph.model().edges:
        if edge.tail in visible.folded:
            continue
        net, tail, head = f"{edge.tail}:{edge.output}", visible.chains[edge.tail], visible.chains[edge.head]
        if tail == head:
            continue
        reached, waiting = set(), [*tail, f"<{net}"]  # out of the frames around the tail, into those of the head
        while waiting:
            new = set(steps.get((net, waiting.pop()), [])) - reached
            reached |= new
            waiting += new
        assert head[-1] in reached


def deep(count):
    class Deep(nn.HybridBlock):
        def hybrid_forward(self, F, x):
            for _ in range(count // 4):
                y = F.tanh(x)
                x = F.sigmoid(y) + x * y
            return x

    return Deep().graph(nd.ones((2, 8)), engine="own")


def test_outputs_of_the_same_type_share_a_row_of_the_details():
    class Parts(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            values, indices = F.topk(x, k=2, ret_typ="both", dtype="int32")
            return F.concat(*F.split(x, num_outputs=4), values), indices

    data = Parts().graph(nd.ones((2, 8)), engine="own").to_dict()
    rows = {about["title"]: [tuple(r) for r in about["rows"] if r[0].startswith("output")] for about in data["abouts"]}
    assert rows["SliceChannel"] == [("output 0–3", "float32 2×2")]
    assert rows["topk"] == [("output 0", "float32 2×2"), ("output 1", "int32 2×2")]
    assert rows["Concat"] == [("output", "float32 2×10")]


def test_of_a_program_that_is_cut_the_last_line_is_none_of_it(monkeypatch):
    graph = deep(100)
    monkeypatch.setattr(graph_data, "_EXTENTS", (graph_data._Extent(40, True),))
    data = graph.to_dict()
    (text,) = (text for text in data["texts"] if text["generated"])
    assert len(text["lines"]) == 41
    key, number, tokens, known = text["lines"][-1]
    assert not key and not number and not known and "and 62 more" in tokens[0][0]
    assert not any("" in about["lines"] or "p0:41" in about["lines"] for about in data["abouts"])


def test_five_hundred_operators_in_one_function_are_all_drawn():
    graph = deep(500)
    start = time.perf_counter()
    scene = graph.scene()
    print(f"500 operators: {time.perf_counter() - start:.3f} s")
    assert len(scene.boxes) == 502
    assert "too large to stay in a notebook" in graph.to_html() and "<img" not in graph.to_html()
    assert graph.to_text().endswith("and 300 more") and str(graph.forward).count("\n") == 500


def test_five_thousand_operators_are_divided_into_groups_without_cycles():
    graph = deep(5000)
    scene = graph.scene()
    assert [box.texts[0] for box in scene.boxes[:2]] == ["data", "⊞ operators 1–100"] and len(scene.boxes) == 52
    heights = {box.id: box.y for box in scene.boxes}
    assert all(heights[piece.tail] < heights[piece.head] for piece in scene.pieces)
    graph.open("/operators 201–300")
    assert len(graph.scene().boxes) == 152
    (hit,) = graph.find("sigmoid999")
    assert hit.group not in graph.collapsed


def test_files(net, tmp_path):
    graph = net.graph(X, backward=True)
    for kind, start in {
        "svg": b"<svg ",
        "png": b"\x89PNG\r\n",
        "dot": b"digraph ",
        "gv": b"digraph ",
        "json": b"{",
    }.items():
        if kind == "png":
            pytest.importorskip("matplotlib", reason="PNG pictures are drawn with Matplotlib")
        graph.save(tmp_path / f"net.{kind}")
        assert (tmp_path / f"net.{kind}").read_bytes().startswith(start)
    root = ElementTree.fromstring(graph.to_svg())
    ids = {element.get("id") for element in root.iter() if element.get("id")}
    assert ids == {f"graph-{box.id}" for box in graph.scene().boxes}
    assert json.loads((tmp_path / "net.json").read_text("utf-8"))["nodes"]


@needs_dot
@pytest.mark.parametrize("name", ["branches", "resnet", "net"])
def test_dot_reads_what_we_write(name):
    net, shape = nets()[name]
    graph = net.graph(nd.ones(shape), backward=True)
    for view in graph.views:
        graph.show(view)
        done = subprocess.run(["dot", "-Tplain"], input=graph.to_dot().encode(), capture_output=True, check=True)
        drawn = re.findall(r"^node (\"[^\"]*\"|\S+)", done.stdout.decode(), flags=re.MULTILINE)
        assert {name.strip('"') for name in drawn} == set(graph.visible().leaves)


def test_marks_and_hints_are_drawn(net):
    graph = net.graph(X, engine="own")
    drawing = draw_scene(graph.scene(), marks={"net_tanh0": "added", "dense0_fwd": "removed"}, interactive=True)
    marked = re.findall(r'class="([^"]*)" data-id="([^"]*)"', drawing)
    found = {name: kinds.split()[-1] for kinds, name in marked if kinds.split()[-1] in ("gv-added", "gv-removed")}
    assert found["net_tanh0"] == "gv-added"


def test_the_picture_can_be_read_in_chinese(net):
    with mx.config(lang="zh"):
        assert "个算子" in net.graph(X).to_text() and "矩阵乘积" in net.graph(X).to_svg()


@pytest.mark.parametrize(("lang", "title"), [("en", "this notebook"), ("zh", "这个笔记本")])
def test_lines_of_a_cell_are_said_to_be_in_the_notebook(lang, title, monkeypatch):
    cell = f"{tempfile.gettempdir()}/ipykernel_1/2.py"
    monkeypatch.setitem(linecache.cache, cell, (0, None, ["net.add(nn.Dense(2))\n"], cell))
    with mx.config(lang=lang):
        (source,) = sources_of([(cell, 1)])
    assert source.title == title and source.lines == ("net.add(nn.Dense(2))",)


# --- what a picture of a net begins with ----------------------------------------------------------------


def test_it_opens_on_what_the_code_asked_for_with_input_and_output():
    net = nn.HybridSequential()
    net.add(
        nn.Dense(8, activation="relu"),
        nn.Dense(2),
    )
    graph = net.graph(nd.ones((1, 4)))
    assert graph.view == "traced"
    boxes = {box.id: box for box in graph.scene().boxes}
    assert [box.texts[0] for box in boxes.values() if box.kind in ("input", "output")] == ["data", "output"]
    assert ("Dense 2 units", "weight 2×8, bias 2") in [box.texts for box in boxes.values()]
    assert {"_dense_vector", "Reshape"} <= {node.operator for node in graph.forward.operators}
    lines = [node.source.line - line_of('nn.Dense(8, activation="relu"),') for node in graph.model().operators]
    assert lines == [0, 0, 1], "a layer of a sequence is shown with the line that made it"


def test_a_layer_with_its_activation_is_one_box_until_it_is_opened_or_compiled_into_more():
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(6, 5, padding=2, activation="sigmoid"), nn.AvgPool2D(2, 2),
        nn.Conv2D(16, 5, activation="sigmoid"), nn.AvgPool2D(2, 2),
        nn.Dense(120, activation="sigmoid"), nn.Dense(84, activation="sigmoid"), nn.Dense(10),
    )  # fmt: skip
    graph = net.graph(nd.ones((1, 1, 28, 28)), engine="own")
    scene = graph.scene()
    assert len(scene.boxes) == 9 and scene.height < 670, "Netron 9.3 needs 13 boxes and 670 pixels"
    boxes = {box.id: box for box in scene.boxes}
    assert boxes["/0"].texts == ("Conv2D", "6 filters 5×5, sigmoid", "weight 6×1×5×5, bias 6")
    assert (boxes["/0"].family, boxes["/0"].then) == ("convolution", "activation")
    compiled = [box.kind for box in graph.scene("forward").boxes]
    assert compiled.count("frame") >= 2, "what the compiler made of a layer is to be seen"
    graph.open("/0")
    assert [box.kind for box in graph.scene().boxes].count("frame") == 1
    assert "gv-f-activation" in graph.to_svg()


class _Looked(nn.HybridBlock):
    """A layer whose result before the activation is used, too."""

    def hybrid_forward(self, F, x, weight):
        h = F.FullyConnected(x, weight, num_hidden=3, no_bias=True)
        return F.relu(h) if self.alone else (F.relu(h), h)

    def __init__(self, alone, **kwargs):
        super().__init__(**kwargs)
        self.alone = alone
        self.weight = self.params.get("weight", shape=(3, 2))


@pytest.mark.parametrize("alone", [True, False])
def test_an_activation_is_no_part_of_a_layer_whose_own_result_is_used(alone):
    net = nn.HybridSequential()
    net.add(_Looked(alone), nn.HybridLambda(lambda F, x: x if alone else x[0] + x[1]))
    net.initialize()
    boxes = [box.id for box in net.graph(nd.ones((2, 2))).scene().boxes]
    assert ("/0" in boxes) and any("relu" in box for box in boxes) != alone


def test_two_outputs_have_a_box_each_and_gradients_are_named_in_theirs():
    net = nn.HybridLambda(lambda F, x: (F.relu(x), F.tanh(x)))
    texts = [box.texts[0] for box in net.graph(nd.ones((2, 3))).scene().boxes if box.kind == "output"]
    assert sorted(texts) == ["output 0", "output 1"]
    dense = nn.Dense(2, in_units=3, prefix="d_")
    graph = dense.graph(nd.ones((4, 3)), backward=True)
    graph.show("backward")
    texts = [text for box in graph.scene().boxes for text in box.texts]
    assert "→ gradient of d_weight" in texts and "→ gradient of d_bias" in texts
    assert not [box for box in graph.scene().boxes if box.kind == "output"]
    many = nn.HybridLambda(lambda F, x: [x + i for i in range(20)]).graph(nd.ones((2,)))
    assert [box.texts[0] for box in many.scene().boxes if box.kind == "output"] == ["20 outputs"]


def test_a_node_that_goes_is_said_to_go_somewhere():
    net = nn.HybridLambda(lambda F, x: F.tanh(F.exp(x) * 2), prefix="fused_")
    graph = net.graph(nd.ones((1 << 18,)))
    into, come = graph.moves("traced", "forward")
    (fused,) = [node.id for node in graph.forward.operators]
    assert {into.get(node.id, node.id) for node in graph.model("traced").operators} == {fused}
    assert set(come) <= {fused}
    with pytest.raises(ValueError, match="There is no graph 'sideways'"):
        graph.moves("traced", "sideways")


@pytest.mark.parametrize("backward", [False, True])
def test_every_stage_travels_with_the_view_and_those_that_changed_nothing_do_not(net, backward):
    graph = net.graph(X, backward=backward)
    data = graph.to_dict()
    stops = {way: [stop[0] for stop in found] for way, _, found in data["ways"]}
    assert all(names[0] == "traced" and set(names) <= data["scenes"].keys() for names in stops.values())
    assert set(stops) == ({"forward", "backward"} if backward else {"forward"})
    for way in stops.values():
        scenes = [json.dumps(data["scenes"][name]) for name in way]
        assert all(a != b for a, b in itertools.pairwise(scenes))
    for name, scene in data["scenes"].items():
        shown = {box[0] for box in scene["b"]}
        assert set(data["boxes"][name]) <= shown
        assert all(end in shown or end[0] in "<>" for edge in scene["e"] for end in edge[:2])


def test_a_net_of_one_operator_and_one_without_parameters_to_learn():
    for backward in (False, True):
        data = nn.HybridLambda("relu").graph(nd.ones((2,)), backward=backward).to_dict()
        assert len(data["scenes"]["traced"]["b"]) == 3
        assert all(data["scenes"][stop[0]]["b"] for _, _, stops in data["ways"] for stop in stops)


def test_what_is_opened_in_one_graph_is_open_in_all():
    graph = vision.resnet18_v1().graph(nd.ones((1, 3, 32, 32)))
    graph.close("/features/5")
    graph.show("forward")
    assert {box.id: box.kind for box in graph.scene().boxes}["/features/5"] == "group"
    graph.open("/features/5")
    graph.show("traced")
    assert {box.id: box.kind for box in graph.scene().boxes}["/features/5"] == "frame"


def test_long_names_lose_their_middle():
    name = "a_layer_with_a_name_of_very_many_letters"
    net = nn.HybridSequential(prefix=f"{name}_net_")
    with net.name_scope():
        net.add(nn.Dense(2, prefix=f"{name}_"))
    x = sym.var("an_input_with_a_name_of_very_many_letters")
    for graph in (net.graph(nd.ones((1, 3))), NetGraph.of(sym.relu(x, name=name))):
        assert max(len(text) for box in graph.scene().boxes for text in box.texts) <= 40


# --- times ----------------------------------------------------------------------------------------------


TIMED = {"forward": lambda net: net.graph(X), "backward": lambda net: net.graph(X, backward=True)}


@pytest.mark.parametrize("way", TIMED)
def test_each_box_says_how_long_its_lines_took(net, way):
    net(X)
    graph = TIMED[way](net)
    before = graph.to_dict()
    assert "µs" not in json.dumps(before, ensure_ascii=False), "a time is shown to who asks for it"
    assert ["measure times", "measure", {}] in before["more"]
    graph.measure()
    graph.times = dict.fromkeys(graph.times, 10.0)  # so that sums are known
    graph._scenes.clear()
    data = graph.to_dict()
    view = way if way in data["scenes"] else "traced"  # where nothing changed, both are one
    model = graph.model(view)
    timed = {node.id: {line for line in node.lines if line in graph.times} for node in model.operators}
    assert all(timed[node.id] for node in model.operators)
    boxes = [box for box in data["scenes"][view]["b"] if box[0] in timed]
    assert boxes
    for box in boxes:
        assert box[6][-1] == f"{10 * len(timed[box[0]])} µs"
        assert ["time", box[6][-1]] in data["abouts"][data["boxes"][view][box[0]]]["rows"]
    lines = {key: "".join(text for text, _ in tokens) for text in data["texts"] for key, _, tokens, _ in text["lines"]}
    assert all(text.endswith("# 10 µs") for key, text in lines.items() if key == "p0:2")
    own = next(key for key, text in lines.items() if "F.tanh(h) * 2" in text)
    made = [key for key in data["links"][own] if key[0] == "p" and "µs" in lines[key]]
    assert lines[own].endswith(f"# {10 * len(made)} µs")


def test_a_line_that_runs_several_boxes_has_their_time_together():
    net = nn.HybridLambda(lambda F, x: F.exp(F.tanh(x)) * 2)
    net.hybridize()
    x = nd.ones((512, 512))
    net(x)
    graph = net.graph(x).measure()
    graph.open_all()
    texts = {box[0]: box[6][-1] for box in graph.to_dict()["scenes"]["traced"]["b"]}
    shared = [text for text in texts.values() if text.endswith("µs with others") or text.endswith("ms with others")]
    assert len(shared) == 3 and len(set(shared)) == 1, "the fused line did the work of all three"
    assert str(graph).count("with others") == 3


def test_what_cannot_run_is_not_measured(net):
    with pytest.raises(
        ValueError, match="The parameters have no values yet: call the net once before you call measure"
    ):
        net.graph(X).measure()
    for graph in (NetGraph.of(sym.relu(sym.var("x"))), NetGraph.of(sym.relu(sym.var("x")), x=(2, 3))):
        assert not any(choice[1] == "measure" for choice in graph.to_dict()["more"])
        with pytest.raises(ValueError, match=r"create the graph with inputs, as in net\.graph\(x\)"):
            graph.measure()


def test_times_in_chinese(net):
    net(X)
    with mx.config(lang="zh"):
        data = net.graph(X).measure().to_dict()
    assert ["测量时间", "measure", {}] in data["more"]
    assert any(row[0] == "时间" and row[1].endswith("µs") for about in data["abouts"] for row in about["rows"])
