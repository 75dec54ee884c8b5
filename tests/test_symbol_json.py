"""The format of -symbol.json files: files of real MXNet, round trips, damaged and hostile texts."""

import copy
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from processor_time import taken

from d2lhybrid.error import MXNetError
from d2lhybrid.internals.formats.serialization import limits
from d2lhybrid.symbol.json_format import JsonGraph, JsonNode, dumps, loads
from d2lhybrid.symbol.json_format.graph import MAX_SUBGRAPH_DEPTH

GOLDEN = Path(__file__).parent / "golden_data"
FILES = sorted(GOLDEN.glob("*/*-symbol.json"))


def _read(path):
    return path.read_bytes().decode()  # Not read_text: "\r\n" must stay.


# Files made by real MXNet --------------------------------------------------------------------------


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_writes_the_same_bytes_as_mxnet(path):
    text = _read(path)
    assert dumps(loads(text)) == text


def test_contents_of_a_file():
    graph = loads(_read(GOLDEN / "models" / "resbn-symbol.json"))
    names = [node.name for node in graph.nodes]
    norm = graph.nodes[names.index("res0_batchnorm0_fwd")]
    assert norm.op == "BatchNorm" and norm.attrs["fix_gamma"] == "False"
    assert [version for _, _, version in norm.inputs] == [0, 0, 0, 1, 1]
    assert all(graph.nodes[i].op == "null" for i in graph.arg_nodes)
    assert len(graph.node_row_ptr) == len(graph.nodes) + 1
    assert graph.heads == ((len(graph.nodes) - 1, 0, 0),)
    assert graph.attrs == {"mxnet_version": ("int", 10901)}


def test_subgraphs_of_control_flow():
    graph = loads(_read(GOLDEN / "models" / "foreach-symbol.json"))
    (loop,) = [node for node in graph.nodes if node.op == "_foreach"]
    (body,) = loop.subgraphs
    assert [node.op for node in body.nodes if node.op != "null"] == [
        *("dot", "elemwise_add", "tanh", "_mul_scalar", "elemwise_add")
    ]
    assert len(body.heads) == 2 and not body.attrs


def test_text_that_needs_escapes():
    graph = loads(_read(GOLDEN / "graphs" / "wide-symbol.json"))
    (name,) = {node.name for node in graph.nodes if "quoted" in node.name}
    assert name == '权重 "quoted" \\ back\tslash'
    (note,) = [node.attrs["__note__"] for node in graph.nodes if "__note__" in node.attrs]
    assert note == 'line 1\nline 2\r\t"é" / \x01 \x7f 😀'
    assert graph.attrs["is_np_shape"] == ("int", 1)


# Texts that old versions wrote ---------------------------------------------------------------------

OLD = {
    "nodes": [
        {
            "op": "null",
            "param": {},
            "name": "data",
            "inputs": [],
            "backward_source_id": -1,
            "attr": {"lr_mult": "0.2"},
        },
        {
            "op": "Activation",
            "param": {"act_type": "relu"},
            "name": "relu1",
            "inputs": [[0, 0]],
            "backward_source_id": -1,
            "attr": {"ctx_group": "stage1"},
        },
    ],
    "arg_nodes": [0],
    "heads": [[1, 0]],
}


def test_old_file():
    graph = loads(json.dumps(OLD))
    assert graph == JsonGraph(
        nodes=(
            JsonNode("null", "data", {"lr_mult": "0.2"}),
            JsonNode("Activation", "relu1", {"act_type": "relu", "ctx_group": "stage1"}, ((0, 0, 0),)),
        ),
        arg_nodes=(0,),
        heads=((1, 0, 0),),
    )
    assert loads(dumps(graph)) == graph


@pytest.mark.parametrize(
    ("fields", "attrs"),
    [
        ('"attrs": {"a": "1"}, "param": {"b": "2"}', {"a": "1", "b": "2"}),
        ('"param": {"a": "2", "b": "2"}, "attr": {"a": "1"}', {"a": "1", "b": "2"}),
        ('"attr": {"a": "1"}, "param": {"a": "2", "b": "2"}', {"a": "1", "b": "2"}),
        ('"attr": {"a": "1"}, "attrs": {"b": "2"}', {"b": "2"}),
        ('"attrs": {}', {}),
        ('"attrs": {"a": "1", "a": "2"}', {"a": "2"}),
    ],
)
def test_attributes_are_merged_as_in_mxnet(fields, attrs):
    node = '{"op": "null", "name": "x", ' + fields + ', "inputs": []}'
    graph = loads('{"nodes": [' + node + '], "arg_nodes": [0], "heads": [[0, 0]]}')
    assert graph.nodes[0].attrs == attrs


def test_empty_graph():
    text = dumps(JsonGraph((), (), (0,), (), {"mxnet_version": ("int", 10901)}))
    assert text == (
        '{\n  "nodes": [], \n  "arg_nodes": [], \n  "node_row_ptr": [0], \n  "heads": [], \n'
        '  "attrs": {"mxnet_version": ["int", 10901]}\n}'
    )
    assert dumps(loads(text)) == text


def test_graph_attributes():
    attrs = {
        "count": ("size_t", 3),
        "name": ("str", "a\n"),
        "numbers": ("list_int", (1, -2)),
        "shapes": ("list_shape", ((1, 2), ())),
        "texts": ("list_str", ("a", '"')),
    }
    graph = JsonGraph((), (), (), (), attrs)
    assert loads(dumps(graph)) == graph


def test_control_dependencies():
    graph = JsonGraph(
        nodes=(JsonNode("null", "x"), JsonNode("relu", "y", inputs=((0, 0, 0),), control_deps=(0,))),
        arg_nodes=(0,),
        heads=((1, 0, 0),),
    )
    assert '"inputs": [[0, 0, 0]], \n      "control_deps": [0]\n' in dumps(graph)
    assert loads(dumps(graph)) == graph


# Round trips of random graphs ----------------------------------------------------------------------

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
SMALL = st.integers(0, 3)


@st.composite
def graphs(draw, depth=2):
    """Draw a graph; nodes use only earlier nodes."""
    nodes = []
    for index in range(draw(st.integers(0, 14 if depth == 2 else 3))):
        earlier = st.integers(0, index - 1)
        attrs = draw(st.dictionaries(TEXT, TEXT, max_size=3))
        if index == 0 or draw(st.booleans()):
            nodes.append(JsonNode("null", draw(TEXT), attrs))
            continue
        inputs = draw(st.lists(st.tuples(earlier, SMALL, SMALL), max_size=12))
        subgraphs = draw(st.lists(graphs(depth - 1), max_size=2)) if depth else []
        op = draw(TEXT.filter(lambda op: op != "null"))
        nodes.append(JsonNode(op, draw(TEXT), attrs, tuple(inputs), tuple(subgraphs)))
    heads = draw(st.lists(st.tuples(st.integers(0, max(0, len(nodes) - 1)), SMALL, SMALL), max_size=12 if nodes else 0))
    return JsonGraph(
        nodes=tuple(nodes),
        arg_nodes=tuple(i for i, node in enumerate(nodes) if node.op == "null"),
        node_row_ptr=draw(st.sampled_from([(), tuple(range(len(nodes) + 1))])),
        heads=tuple(heads),
        attrs=draw(st.dictionaries(TEXT, st.tuples(st.just("int"), st.integers(-(2**31), 2**31)), max_size=3)),
    )


@given(graphs())
@settings(deadline=None)
def test_round_trip(graph):
    text = dumps(graph)
    assert loads(text) == graph
    assert loads(text.encode()) == graph
    assert dumps(loads(text)) == text


@given(graphs())
@settings(deadline=None)
def test_other_writers_of_json(graph):
    text = dumps(graph)
    assert loads(json.dumps(json.loads(text, strict=False))) == graph
    assert loads(json.dumps(json.loads(text, strict=False), indent=1, ensure_ascii=False)) == graph


# Damaged and hostile texts -------------------------------------------------------------------------

BASE = {
    "nodes": [
        {"op": "null", "name": "d", "inputs": []},
        {"op": "relu", "name": "r", "attrs": {"a": "1"}, "inputs": [[0, 0, 0]]},
    ],
    "arg_nodes": [0],
    "node_row_ptr": [0, 1, 2],
    "heads": [[1, 0, 0]],
    "attrs": {"mxnet_version": ["int", 10901]},
}


def _changed(*path, to):
    """Return the text of `BASE` with one value set, or removed if it is Ellipsis."""
    data = copy.deepcopy(BASE)
    place = data
    for key in path[:-1]:
        place = place[key]
    if to is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return json.dumps(data)


NODE = ("nodes", 1)
WRONG = {
    "empty": ("", "Expecting value"),
    "no object": ("[]", "the graph: Expect an object but get a list"),
    "null": ("null", "the graph: Expect an object but get null"),
    "not closed": ('{"nodes": [{"op": "nu', "Unterminated string"),
    "trailing comma": ('{"nodes": [],}', "JSONReader: Error at Line 1, around"),
    "more text": (json.dumps(BASE) + " x", "Extra data"),
    "byte order mark": ("\ufeff" + json.dumps(BASE), "JSONReader"),
    "not UTF-8": (b'{"nodes": "\xff"}', "the text is not UTF-8: invalid start byte"),
    "half a character": (_changed(*NODE, "name", to="\ud800"), r"nodes\[1\].name is not Unicode text"),
    "half a character in a key": (_changed(*NODE, "attrs", to={"\udc00": ""}), r"nodes\[1\].attrs is not"),
    "nothing": ("{}", 'Missing field "arg_nodes"'),
    "no nodes": (_changed("nodes", to=...), 'Missing field "nodes"'),
    "no arg_nodes": (_changed("arg_nodes", to=...), 'Missing field "arg_nodes"'),
    "no heads": (_changed("heads", to=...), 'Missing field "heads"'),
    "no op": (_changed(*NODE, "op", to=...), 'Missing field "op"\nThe field is missing in nodes\\[1\\].'),
    "no name": (_changed(*NODE, "name", to=...), 'Missing field "name"'),
    "no inputs": (_changed(*NODE, "inputs", to=...), 'Missing field "inputs"'),
    "nodes is an object": (_changed("nodes", to={}), "nodes: Expect a list but get an object"),
    "node is a list": (_changed("nodes", 0, to=[]), r"nodes\[0\]: Expect an object but get a list"),
    "op is a number": (_changed(*NODE, "op", to=3), r"nodes\[1\].op: Expect a text but get 3"),
    "name is null": (_changed(*NODE, "name", to=None), r"nodes\[1\].name: Expect a text but get null"),
    "attrs is a list": (
        _changed(*NODE, "attrs", to=["a"]),
        r"nodes\[1\].attrs: Expect an object but get a list",
    ),
    "attribute is a number": (
        _changed(*NODE, "attrs", to={"num_hidden": 4}),
        r'nodes\[1\].attrs\["num_hidden"\]: Expect a text but get 4',
    ),
    "attribute is an object": (_changed(*NODE, "param", to={"a": {}}), "Expect a text but get an object"),
    "inputs is a text": (
        _changed(*NODE, "inputs", to="0"),
        r"nodes\[1\].inputs: Expect a list but get \"0\"",
    ),
    "input is a number": (_changed(*NODE, "inputs", to=[0]), r"nodes\[1\].inputs: Expect a list but get 0"),
    "input of one number": (
        _changed(*NODE, "inputs", to=[[0]]),
        r"Check failed: reader->NextArrayItem\(\): invalid json format",
    ),
    "input of four numbers": (
        _changed(*NODE, "inputs", to=[[0, 0, 0, 0]]),
        r"Check failed: !reader->NextArrayItem\(\): invalid json format",
    ),
    "index is a float": (_changed(*NODE, "inputs", to=[[0.0, 0, 0]]), "Expect an index but get 0.0"),
    "index is a text": (_changed(*NODE, "inputs", to=[["0", 0, 0]]), 'Expect an index but get "0"'),
    "index is true": (_changed("arg_nodes", to=[True]), "arg_nodes: Expect an index but get true"),
    "index is negative": (_changed(*NODE, "inputs", to=[[-1, 0, 0]]), "Expect an index but get -1"),
    "output is negative": (_changed("heads", to=[[1, -1, 0]]), "heads: Expect an index but get -1"),
    "version is negative": (_changed("heads", to=[[1, 0, -1]]), "heads: Expect an index but get -1"),
    "index is too large": (_changed("arg_nodes", to=[2**32]), "Expect an index but get 4294967296"),
    "index of a thousand digits": (_changed("arg_nodes", to=[10**1000]), "Expect an index but get 1000"),
    "index of a million digits": (
        _changed("arg_nodes", to=[7]).replace("7", "7" * 10**6),
        "Exceeds the limit",
    ),
    "index is not a number": (_changed("arg_nodes", to=[float("nan")]), "Expect an index but get NaN"),
    "index is infinite": ('{"nodes": [], "arg_nodes": [1e999], "heads": []}', "an index but get Infinity"),
    "missing input": (
        _changed(*NODE, "inputs", to=[[2, 0, 0]]),
        r"Check failed: e.node_id < jgraph.nodes.size\(\)",
    ),
    "own output": (_changed(*NODE, "inputs", to=[[1, 0, 0]]), 'an input of the relu "r" is not an earlier node'),
    "later input": (
        _changed("nodes", 0, to={"op": "exp", "name": "e", "inputs": [[1, 0, 0]]}),
        'an input of the exp "e" is not an earlier node',
    ),
    "later control dependency": (
        _changed(*NODE, "control_deps", to=[1]),
        'a control dependency of the relu "r" is not an earlier node',
    ),
    "variable with inputs": (
        _changed("nodes", 1, to={"op": "null", "name": "v", "inputs": [[0, 0, 0]]}),
        'the variable "v" has inputs',
    ),
    "missing argument": (_changed("arg_nodes", to=[2]), r"Check failed: nid < jgraph.nodes.size\(\)"),
    "argument is no variable": (
        _changed("arg_nodes", to=[0, 1]),
        r"Check failed: jgraph.nodes\[nid\].node->is_variable\(\)",
    ),
    "missing head": (_changed("heads", to=[[2, 0, 0]]), r"heads\[0\] refers to node 2, but the graph has 2 nodes"),
    "row pointers are texts": (_changed("node_row_ptr", to=["0"]), "node_row_ptr: Expect an index"),
    "graph attribute without type": (_changed("attrs", "mxnet_version", to=5), "Expect a list but get 5"),
    "graph attribute without value": (_changed("attrs", "x", to=["int"]), "invalid any json format"),
    "graph attribute with two values": (_changed("attrs", "x", to=["int", 1, 2]), "invalid any json format"),
    "graph attribute of another type": (
        _changed("attrs", "x", to=["float", 0.5]),
        "Typename float has not been registered via DMLC_JSON_ENABLE_ANY",
    ),
    "graph attribute with a wrong value": (
        _changed("attrs", "mxnet_version", to=["int", "1"]),
        r'attrs\["mxnet_version"\]: Expect a whole number but get "1"',
    ),
    "subgraphs is an object": (_changed(*NODE, "subgraphs", to={}), r"nodes\[1\].subgraphs: Expect a list"),
    "subgraph is a number": (
        _changed(*NODE, "subgraphs", to=[3]),
        r"nodes\[1\].subgraphs\[0\]: Expect an object but get 3",
    ),
    "error in a subgraph": (
        _changed(*NODE, "subgraphs", to=[{**BASE, "heads": [[9, 0, 0]]}]),
        r"nodes\[1\].subgraphs\[0\].heads\[0\] refers to node 9",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_text(case):
    text, message = WRONG[case]
    with pytest.raises(MXNetError, match=message):
        loads(text)


def test_the_unchanged_text_is_right():
    assert dumps(loads(_changed("heads", to=[[1, 0]]))) == dumps(loads(json.dumps(BASE)))


def test_unknown_field():
    with pytest.raises(MXNetError) as caught:
        loads(_changed("nodess", to=[]))
    assert str(caught.value) == (
        'JSONReader: Unknown field nodess, candidates are: \n"arg_nodes"\n"attrs"\n"heads"\n"node_row_ptr"\n"nodes"\n'
    )
    assert caught.value.__notes__ == ["The field is in the graph. Did you mean 'nodes'?"]
    with pytest.raises(MXNetError, match="JSONReader: Unknown field inputs2, candidates are: \n") as caught:
        loads(_changed(*NODE, "inputs2", to=[]))
    assert str(caught.value).splitlines()[1:] == [
        *('"attr"', '"attrs"', '"backward_source_id"', '"control_deps"', '"inputs"', '"name"', '"op"'),
        *('"param"', '"subgraphs"'),
    ]
    assert caught.value.__notes__ == ["The field is in nodes[1]. Did you mean 'inputs'?"]


def test_missing_field_has_the_message_of_mxnet():
    with pytest.raises(MXNetError) as caught:
        loads(_changed(*NODE, "inputs", to=...))
    assert str(caught.value) == (
        'JSONReader: Check failed: visited.count(it->first) != 0U (0 vs. 0) : Missing field "inputs"'
    )
    assert caught.value.__notes__ == ["The field is missing in nodes[1]."]


def test_syntax_error_says_where():
    with pytest.raises(MXNetError, match="JSONReader: Error at Line 3, around") as caught:
        loads('{\n"nodes": [],\n  nonsense}')
    assert caught.value.__notes__ == ["The text is not valid JSON at line 3, column 3."]


def _nested(depth):
    graph = JsonGraph((JsonNode("null", "x"),), (0,), (), ((0, 0, 0),))
    for _ in range(depth):
        loop = JsonNode("_foreach", "loop", inputs=((0, 0, 0),), subgraphs=(graph,))
        graph = JsonGraph((JsonNode("null", "x"), loop), (0,), (), ((1, 0, 0),))
    return graph


def test_nested_subgraphs():
    graph = _nested(MAX_SUBGRAPH_DEPTH)
    assert loads(dumps(graph)) == graph
    with pytest.raises(MXNetError, match="subgraphs are nested more than"):
        dumps(_nested(MAX_SUBGRAPH_DEPTH + 1))


BOMBS = {
    "lists": "[" * 10**6,
    "closed lists": "[" * 10**5 + "]" * 10**5,
    "objects": '{"nodes":' * 10**5,
    "subgraphs": '{"nodes":[{"op":"a","name":"b","inputs":[],"subgraphs":[' * 10**5,
    "inputs": _changed(*NODE, "inputs", to="?").replace('"?"', "[" * 1000 + "]" * 1000),
    "after closing brackets": "]" * 1000 + "[" * 10**6,
    "quotes": '"' * 10**6,
    "escaped quotes": '"' + '\\"' * 10**6,
    "backslashes": '"' + "\\" * (10**6 + 1),
    "long key": '{"' + "nodes" * 10**5 + '": 1}',
    "many keys": "{" + ", ".join(f'"node{i}": 1' for i in range(10**5)) + "}",
    "a list in a long line": '{"nodes": [' + "0, " * 10**5 + "0]}",
}


@pytest.mark.parametrize("case", BOMBS)
def test_bomb(case):
    # Even where a program has allowed deep recursion, the stack must not overflow.
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(10**6)
    try:
        with taken() as measured, pytest.raises(MXNetError) as caught:
            loads(BOMBS[case])
    finally:
        sys.setrecursionlimit(limit)
    assert measured.seconds < 5
    assert len(str(caught.value)) < 1000


def test_brackets_in_texts_do_not_count():
    name = '["\\' * 200
    graph = JsonGraph((JsonNode("null", name, {"{" * 200: "[" * 200}),), (0,))
    assert loads(dumps(graph)) == graph


def test_too_many_nodes():
    with limits(nodes=3):
        loads(_changed(*NODE, "subgraphs", to=[{"nodes": BASE["nodes"][:1], "arg_nodes": [], "heads": []}]))
        with pytest.raises(MXNetError, match="more than 3 nodes") as caught:
            loads(_changed(*NODE, "subgraphs", to=[BASE]))
    assert "limits(nodes=8)" in caught.value.__notes__[0]


def test_too_many_values_are_refused_before_they_are_made():
    with pytest.raises(MXNetError, match="contains about 14000002 values"):
        loads('{"nodes": [' + "[]," * 7_000_000 + "]}")


def test_too_large_and_too_slow():
    text = json.dumps(BASE)
    with limits(graph_bytes=100), pytest.raises(MXNetError, match="bytes exceeds the limit of 100 bytes"):
        loads(text)
    with limits(seconds=1e-9), pytest.raises(MXNetError, match="takes more than 1e-09 seconds"):
        loads(text)


def test_long_chain_takes_linear_time():
    def seconds(count):
        nodes = [JsonNode("relu", f"r{i}", {"a": "1"}, ((i, 0, 0),)) for i in range(count)]
        graph = JsonGraph((JsonNode("null", "x"), *nodes), (0,), tuple(range(count + 2)), ((count, 0, 0),))
        with taken() as measured:
            assert loads(dumps(graph)) == graph
        return measured.seconds

    short = min(seconds(1000) for _ in range(3))
    assert seconds(10_000) < 50 * short  # Were it quadratic, 100 times.


SMALL_FILE = _read(GOLDEN / "models" / "foreach-symbol.json")


def _read_or_fail(text):
    try:
        return loads(text)
    except MXNetError as error:
        assert str(error)
        return None


def test_truncation_at_every_character():
    for length in range(len(SMALL_FILE)):
        assert _read_or_fail(SMALL_FILE[:length]) is None


@given(
    st.lists(
        st.tuples(
            st.integers(0, len(SMALL_FILE) - 1),
            st.one_of(st.sampled_from([*'[]{},":0123456789-. ne\\', "null", "true", "1e9"]), st.text(max_size=4)),
            st.integers(0, 12),
        ),
        max_size=3,
    )
)
@settings(max_examples=300, deadline=None)
def test_random_damage(changes):
    text = SMALL_FILE
    for position, new, removed in changes:
        text = text[:position] + new + text[position + removed :]
    graph = _read_or_fail(text)
    if graph is not None:
        assert loads(dumps(graph)) == graph


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 3) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
PLACES = [
    *(("nodes",), ("arg_nodes",), ("node_row_ptr",), ("heads",), ("attrs",), ("heads", 0), ("nodes", 0)),
    *((*NODE, key) for key in ("op", "name", "attrs", "attr", "inputs", "subgraphs", "control_deps")),
    *((*NODE, "inputs", 0), (*NODE, "attrs", "a"), ("attrs", "mxnet_version"), ("attrs", "mxnet_version", 1)),
]


@given(st.sampled_from(PLACES), JSON)
@settings(max_examples=300, deadline=None)
def test_any_value_anywhere(place, value):
    graph = _read_or_fail(_changed(*place, to=value))
    if graph is not None:
        assert loads(dumps(graph)) == graph


@given(st.binary(max_size=100))
@settings(deadline=None)
def test_random_bytes(data):
    _read_or_fail(data)
