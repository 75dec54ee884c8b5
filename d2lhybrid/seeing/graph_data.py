"""What the interactive view of a graph gets: the drawing, and what to say of each box."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..support.words import add_words, translate
from .graph_family import FAMILIES
from .graph_model import GraphModel, GraphNode
from .graph_scene import Visible
from .graph_sources import SourceText, sources_of
from .graph_svg import FAMILY_COLOURS, draw_scene
from .listing import tokens_of

if TYPE_CHECKING:
    from .graph_origin import Origin
    from .net_graph import NetGraph

__all__ = ["data_of"]

#: Longer generated programs travel without colours, and only their beginning.
_COLOURED, _LONGEST = 400, 2000
_WORDS = [
    "search", "parameters", "open all", "close all", "fit", "zoom in", "zoom out", "graph", "open", "close",
    "Click a box, a line of the program or a generated line.", "save as ",
    "drag to move, Ctrl + wheel to zoom",
]  # fmt: skip

add_words(
    {
        "search": "搜索", "parameters": "参数", "open all": "全部展开", "close all": "全部收起", "fit": "适应窗口",
        "zoom in": "放大", "zoom out": "缩小", "graph": "计算图", "open": "展开", "close": "收起",
        "Click a box, a line of the program or a generated line.": "点击一个方框、一行程序或一行生成的代码。",
        "no match": "没有匹配", "{n} matches": "{n} 个匹配", "save as ": "存为 ",
        "drag to move, Ctrl + wheel to zoom": "拖动以移动，Ctrl + 滚轮缩放",
        "{n} operators": "{n} 个算子", "1 operator": "1 个算子", "1 match": "1 个匹配",
        "and {n} more": "还有 {n} 个", "generated program: {name}": "生成的程序：{name}",
        "name": "名称", "operator": "算子", "settings": "设置", "result": "结果", "flops": "浮点运算", "bytes": "字节",
        "line": "行", "block": "块", "input": "输入", "output": "输出", "kind": "种类", "parameter": "参数",
        "constant": "常量", "gradient": "梯度", "saved": "保存的值", "operators": "算子数",
        "made by line": "由此行产生",
        "class": "类", "matrix product": "矩阵乘积", "convolution": "卷积", "pooling": "汇聚",
        "normalization": "规范化",
        "activation": "激活", "element-wise": "逐元素", "reduction, loss": "归约、损失", "shape, index": "形状、索引",
        "other": "其他",
        "The picture is too large to stay in a notebook: graph.save('graph.svg') writes it to a file.":
            "图太大，无法保存在笔记本中：graph.save('graph.svg') 会把它写入文件。",
        "an input": "输入", "a parameter": "参数", "a constant": "常量",
        "the gradient of an output, given by the caller": "输出的梯度，由调用者给出",
        "made by the forward function, kept for the backward function": "由前向函数产生，为反向函数保留",
    }
)  # fmt: skip

_KINDS = {
    "input": "an input",
    "parameter": "a parameter",
    "constant": "a constant",
    "gradient": "the gradient of an output, given by the caller",
    "saved": "made by the forward function, kept for the backward function",
}


def data_of(graph: NetGraph, origin: Origin) -> dict[str, Any]:
    """Return what is shown of a graph, as dictionaries, lists, texts and numbers."""
    model, view = graph.model(), graph.visible()
    scene = graph.scene()
    sources = sources_of(node.source for node in model.operators if node.source)
    programs = {name: source for name, source in origin.programs.items() if name == graph.view} or origin.programs
    numbers = {name: i for i, name in enumerate(programs)}
    members: dict[str, list[GraphNode]] = {}
    for node in model.nodes:
        if node.id in view.chains:
            members.setdefault(view.chains[node.id][-1], []).append(node)
    for group in view.containers:
        if group:
            members[group] = list(model.members[group])
    boxes = {box: _box(box, nodes, model, sources, numbers, view) for box, nodes in members.items()}
    known = {line for box in boxes.values() for line in box["lines"]}
    texts = [_text(s.title, f"s{i}", s.start, list(s.lines), known) for i, s in enumerate(sources)]
    texts += [_text(name, f"p{i}", 1, programs[name].text.splitlines(), known) for name, i in numbers.items()]
    found = {view.chains[name][-1] for name in graph.found if name in view.chains}
    families = [f for f in FAMILIES if any(box.family == f for box in scene.boxes)]
    return {
        "title": graph.title,
        "caption": graph._caption().partition(": ")[2],
        "views": graph.views,
        "view": graph.view,
        "parameters": graph.parameters,
        "found": [box.id for box in scene.boxes if box.id in found],
        "matches": _matches(graph),
        "svg": draw_scene(scene, graph._caption(), legend=False, interactive=True),
        "boxes": boxes,
        "texts": texts,
        "families": [[translate(FAMILIES[f]), _variable(f)] for f in families],
        "words": {word: translate(word) for word in _WORDS},
    }


def _variable(family: str) -> str:
    number = FAMILY_COLOURS[family]
    return "muted" if number is None else f"family-{number}"


def _matches(graph: NetGraph) -> str:
    if not graph.searched:
        return ""
    if len(graph.found) == 1:
        return translate("1 match")
    return translate("{n} matches", n=len(graph.found)) if graph.found else translate("no match")


def _text(title: str, key: str, start: int, lines: list[str], known: set[str]) -> dict[str, Any]:
    """Return a program: for each line its key, its number, its tokens, and whether there is a box for it."""
    if len(lines) > _LONGEST:
        lines = [*lines[:_LONGEST], f"# {translate('and {n} more', n=len(lines) - _LONGEST)}"]
    tokens: list[Any] = tokens_of(lines) if len(lines) <= _COLOURED else [[(line, "")] for line in lines]
    rows = [[f"{key}:{start + i}", start + i, line, f"{key}:{start + i}" in known] for i, line in enumerate(tokens)]
    return {"title": title, "lines": rows}


def _box(
    box: str,
    nodes: list[GraphNode],
    model: GraphModel,
    sources: list[SourceText],
    numbers: dict[str, int],
    view: Visible,
) -> dict[str, Any]:
    """Return what is said of a box: rows of a table, lines of the program, generated lines."""
    is_group = box in model.groups
    rows = _group_rows(box, nodes, model) if is_group else _node_rows(nodes[0], model)
    places = dict.fromkeys(node.source for node in nodes if node.source)
    lines = [f"s{i}:{line}" for name, line in places for i, text in enumerate(sources) if text.holds(name, line)]
    generated = dict.fromkeys(at for node in nodes for at in node.lines)
    lines += [f"p{numbers[function]}:{number}" for function, number in generated if function in numbers]
    title = model.groups[box].label if is_group else nodes[0].operator or nodes[0].name
    state = ("open" if box in view.containers else "closed") if is_group else ""
    return {"title": title, "rows": rows, "lines": lines, "group": state}


def _node_rows(node: GraphNode, model: GraphModel) -> list[list[str]]:
    from .net_graph import amount

    rows = [[translate("name"), node.name]]
    if node.kind != "operator":
        rows.append([translate("kind"), translate(_KINDS[node.kind])])
    if node.path:
        rows.append([translate("block"), node.path])
    for i in node.inputs:
        tensor = model.tensor(i.node, i.output)
        rows.append([i.argument, f"{model.by_id[i.node].name}  {tensor}".rstrip()])
    for i, tensor in enumerate(node.outputs):
        name = translate("output") if len(node.outputs) == 1 else f"{translate('output')} {i}"
        rows.append([name, str(tensor) or "?"])
    rows += [[name, value] for name, value in node.attributes.items()]
    if node.kind == "operator":
        rows.append([translate("flops"), f"{node.flops:,}" if node.flops is not None else amount(None)])
        rows.append([translate("bytes"), f"{node.bytes:,}" if node.bytes is not None else amount(None)])
    if node.source is not None:
        rows.append([translate("made by line"), str(node.source.line)])
    return rows


def _group_rows(group: str, nodes: list[GraphNode], model: GraphModel) -> list[list[str]]:
    from .net_graph import amount

    data = model.groups[group]
    operators = [node for node in nodes if node.kind == "operator"]
    rows = [[translate("block"), data.id.strip("/").replace("/", ".")]]
    if data.kind:
        rows.append([translate("class"), data.kind])
    rows.append([translate("operators"), str(len(operators))])
    for what, unit in (("flops", ""), ("bytes", "B")):
        rows.append([translate(what), amount(model.total(what, operators), unit)])
    return rows
