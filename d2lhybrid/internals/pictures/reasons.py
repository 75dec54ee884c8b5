"""The reason for a call's behavior in one sentence, and a summary of the frozen values in the call's graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ...symbol.symbol import Symbol
from ..support.words import add_words, listed, sentences, translate, translated_pattern
from .check.findings import Finding
from .check.freezing import way_in_words
from .line_watcher import Seen

__all__ = ["Frozen", "Reason", "frozen_words", "in_words", "longest_reason", "reason_of"]


class Reason(NamedTuple):
    """The kind of a call (``"eager"``, ``"traced"``, ``"recompiled"``, ``"compiled"``, ``"failed"``) and its reason."""

    kind: str
    text: str


class Frozen(NamedTuple):
    """A value that a trace has frozen, with its line, a short description, a remedy, and its kind."""

    filename: str
    line: int
    text: str
    remedy: str
    stale: bool = False
    kind: str = ""


def reason_of(net: Any, seen: Seen) -> Reason:
    """Return the kind and the reason of an observed call."""
    traces = [e for _, e in seen.events if e.kind in ("trace", "retrace")]
    compilations = [e for _, e in seen.events if e.kind in ("compile", "recompile")]
    if seen.error is not None:
        tracing = any(visit.symbolic and visit.returned is None for visit in seen.visits)
        return Reason("failed", translate(_FAILED_TRACING if tracing else _FAILED))
    if not hasattr(net, "_active"):
        return _reason_of_block(seen, traces, compilations)
    if any(isinstance(given, Symbol) for given in seen.args):
        return Reason("eager", translate(_COMPOSED))
    own = {visit.code.co_name for visit in seen.visits if visit.path == "self"}
    if net._cached_op is None and "forward" in own and "hybrid_forward" not in own:
        return Reason("eager", translate(_OVERRIDDEN))
    if not seen.active:
        text = translate(_EAGER)
        if any(visit.symbolic for visit in seen.visits):
            text = sentences(text, translate(_DEFERRED))
        return Reason("eager", text)
    if traces:
        first, later = (_TRACED, _RETRACED) if compilations else (_TRACED_ALONE, _RETRACED_ALONE)
        text = later if traces[-1].kind == "retrace" else first
        return Reason("traced", translate(text, why=in_words(traces[-1].reasons)))
    if compilations:
        return Reason("recompiled", translate(_RECOMPILED, why=in_words(compilations[-1].reasons)))
    return Reason("compiled", translate(_COMPILED if _has_program(net, seen) else _BY_OPERATOR))


def _has_program(net: Any, seen: Seen) -> bool:
    """Return whether a program ran in a call of a traced net, rather than the graph's operators one by one."""
    without = () if net._cached_op is None else net._cached_op._without_program
    return not without or (bool(net.programs) and net._signature_of(*seen.args)[0] not in without)


def longest_reason(net: Any, shape: str) -> str:
    """Return the longest usual reason for the behavior of a call. A picture reserves space for this text.

    Parameters
    ----------
    net : Block
        The net.
    shape : str
        A shape of the net's input, as text.

    Returns
    -------
    str
        The text.
    """
    resized = translated_pattern(f"the shape of data changed from {shape} to {shape}", _PATTERNS)
    again = translate("hybridize() was called")
    if not hasattr(net, "_active"):
        paths = next((f"self.{name}" for name in net._children), "self")
        found = [translate(_BLOCK), translate(_BLOCK_TRACED, paths=paths, why=again)]
        return max(*found, translate(_BLOCK_RECOMPILED, paths=paths, why=resized), key=len)
    found = [sentences(translate(_EAGER), translate(_DEFERRED)), translate(_COMPILED), translate(_FAILED_TRACING)]
    found += [translate(text, why=again) for text in (_TRACED, _RETRACED)]
    return max(*found, translate(_RECOMPILED, why=resized), key=len)


def _reason_of_block(seen: Seen, traces: Sequence[Any], compilations: Sequence[Any]) -> Reason:
    """Return the reason for a plain Block, whose own lines run in every call."""
    events = [*traces, *compilations]
    paths = listed(dict.fromkeys(path for path, event in seen.events if event in events))
    if not events:
        return Reason("eager", translate(_BLOCK))
    why = in_words(events[0].reasons)
    text = translate(_BLOCK_TRACED if traces else _BLOCK_RECOMPILED, paths=paths, why=why)
    return Reason("traced" if traces else "recompiled", text)


def in_words(reasons: Iterable[str]) -> str:
    """Return the reasons for a trace or a compilation as one text in the current language."""
    return translate("; ").join(map(_reason_in_words, reasons))


def _reason_in_words(reason: str) -> str:
    return translated_pattern(reason, _PATTERNS)


def frozen_words(finding: Finding, now: str = "") -> Frozen:
    """Return a short description of a finding about a frozen value.

    Parameters
    ----------
    finding : Finding
        Finding about a frozen value.
    now : str
        Current value of the frozen attribute, as text; empty if the finding is not about an attribute.
    """
    stale = bool(now) and now != finding.value
    value = way_in_words(finding.value) if finding.kind in ("branch", "loop") else finding.value
    text = finding.what
    if stale or finding.kind in _FROZEN:
        template = _FROZEN_STALE if stale else _FROZEN[finding.kind]
        text = translate(template, name=finding.name, value=value, now=now)
    return Frozen(finding.filename or "", finding.line, text, finding.remedy, stale, finding.kind)


_EAGER = "The net was not hybridized, so Python ran hybrid_forward line by line, on arrays."
_DEFERRED = "Before that, its lines ran once with Symbols, to find the shapes of the parameters."
_TRACED = (
    "Traced ({why}): hybrid_forward ran once with Symbols, which have no numbers. The recorded graph was "
    "compiled, and the program computed the result."
)
_RETRACED = "Traced again, because {why}: hybrid_forward ran once more with Symbols, and a new program was compiled."
_RECOMPILED = (
    "Compiled again without tracing, because {why}: the graph already existed, so no line of hybrid_forward ran."
)
_COMPILED = "The compiled program ran. It only has the recorded operators, so no line of hybrid_forward ran."
_TRACED_ALONE = (
    "Traced ({why}): hybrid_forward ran once with Symbols, which have no numbers. No program can be compiled from the "
    "recorded graph, so its operators ran one by one."
)
_RETRACED_ALONE = (
    "Traced again, because {why}: hybrid_forward ran once more with Symbols. No program can be compiled from the "
    "recorded graph, so its operators ran one by one."
)
_BY_OPERATOR = (
    "No program can be compiled from the recorded graph, so its operators ran one by one. "
    "No line of hybrid_forward ran."
)
_COMPOSED = (
    "The input is a Symbol, so hybrid_forward ran with Symbols: its operators became part of a graph, and nothing was "
    "computed."
)
_OVERRIDDEN = "The net overrides forward, whose lines run in every call, on arrays: hybridize() has no effect on them."
_FAILED = "The call failed."
_FAILED_TRACING = "The call failed while hybrid_forward was traced: Symbols describe a computation and have no values."
_BLOCK = "The net is a Block, not a HybridBlock: its own lines run in every call. No part of it was traced or compiled."
_BLOCK_TRACED = "The net is a Block, whose own lines run in every call. Of its parts, {paths} was traced ({why})."
_BLOCK_RECOMPILED = (
    "The net is a Block, whose own lines run in every call. Of its parts, {paths} was compiled again: {why}."
)

_FROZEN = {
    "attribute": "{name} is frozen at {value}",
    "computed": "{name} is frozen at {value}",
    "branch": "decided: always {value}",
    "loop": "unrolled: always {value}",
    "random": "drawn once: always {value}",
    "time": "read once: always {value}",
    "counter": "only a traced call changes {name}: it stays {value}",
    "arguments": "whether {name} is passed is decided",
    "print": "prints while traced, never again",
}
_FROZEN_STALE = "{name} is frozen at {value}, although it is {now} now"

#: Reasons in the compiler's history with placeholders.
_PATTERNS = (
    "the shape of {name} changed from {old} to {new}",
    "the dtype of {name} changed from {old} to {new}",
    "the context changed from {old} to {new}",
    "recording gradients for {n} of {all} inputs, but not the same inputs as before",
    "recording gradients for {n} of {all} inputs, previously for {old}",
    "recording gradients for {n} of {all} inputs",
    "the child {name} was changed",
    "the child {name} was added",
    "{call} was called",
    "gradients arrive at {n} of {all} outputs",
    "and {n} more changes",
)

add_words(
    {
        _EAGER: "此时网络没有 hybridize，所以 Python 逐行运行 hybrid_forward，处理的是数组。",
        _DEFERRED: "在此之前，为了推断参数的形状，先传入 Symbol，把这些代码运行了一遍。",
        _TRACED: (
            "追踪（{why}）：传入没有数值的 Symbol，把 hybrid_forward 运行了一次。"
            "记录下来的计算图编译成程序，由程序算出结果。"
        ),
        _RETRACED: "重新追踪，因为{why}：传入 Symbol，把 hybrid_forward 又运行了一次，并编译了新的程序。",
        _RECOMPILED: "没有追踪，只重新编译，因为{why}：计算图已经有了，所以 hybrid_forward 一行也没有运行。",
        _COMPILED: "运行的是编译后的程序。程序里只有记录下来的算子，所以 hybrid_forward 一行也没有运行。",
        _TRACED_ALONE: (
            "追踪（{why}）：传入没有数值的 Symbol，把 hybrid_forward 运行了一次。"
            "记录下来的计算图无法编译成程序，所以逐个运行它的算子。"
        ),
        _RETRACED_ALONE: (
            "重新追踪，因为{why}：传入 Symbol，把 hybrid_forward 又运行了一次。"
            "记录下来的计算图无法编译成程序，所以逐个运行它的算子。"
        ),
        _BY_OPERATOR: "记录下来的计算图无法编译成程序，所以逐个运行它的算子。hybrid_forward 一行也没有运行。",
        _COMPOSED: "输入是 Symbol，所以传入 Symbol 运行了 hybrid_forward：它的算子成为计算图的一部分，什么也没有计算。",
        _OVERRIDDEN: "网络覆盖了 forward，它的代码每次调用都运行，处理的是数组：hybridize() 对这些代码不起作用。",
        _FAILED: "调用出错。",
        _FAILED_TRACING: "追踪 hybrid_forward 时出错：Symbol 只描述计算，没有数值。",
        _BLOCK: "网络是 Block 而不是 HybridBlock：它自己的代码每次调用都运行。这次没有追踪，也没有编译。",
        _BLOCK_TRACED: "网络是 Block，它自己的代码每次调用都运行。这次追踪了其中的 {paths}（{why}）。",
        _BLOCK_RECOMPILED: "网络是 Block，它自己的代码每次调用都运行。这次重新编译了其中的 {paths}：{why}。",
        "; ": "；",
        "hybridize() was called": "调用了 hybridize()",
        "the graph was dropped": "计算图已经丢弃",
        "first call since the programs were dropped": "丢弃程序之后的第一次调用",
        "shapes of parameters had to be inferred": "需要推断参数的形状",
        "training mode": "处于训练模式",
        "predict mode": "处于预测模式",
        "not recording": "不再记录梯度",
        "the shape of {name} changed from {old} to {new}": "{name} 的形状从 {old} 变成了 {new}",
        "the dtype of {name} changed from {old} to {new}": "{name} 的元素类型从 {old} 变成了 {new}",
        "recording gradients for {n} of {all} inputs, but not the same inputs as before": (
            "为 {all} 个输入中的 {n} 个记录梯度，与之前的那几个不同"
        ),
        "recording gradients for {n} of {all} inputs, previously for {old}": (
            "为 {all} 个输入中的 {n} 个记录梯度，之前是 {old} 个"
        ),
        "recording gradients for {n} of {all} inputs": "为 {all} 个输入中的 {n} 个记录梯度",
        "gradients arrive at {n} of {all} outputs": "{all} 个输出中有 {n} 个收到梯度",
        "and {n} more changes": "以及另外 {n} 处变化",
        "the context changed from {old} to {new}": "设备从 {old} 变成了 {new}",
        "the child {name} was changed": "子块 {name} 变了",
        "the child {name} was added": "增加了子块 {name}",
        "{call} was called": "调用了 {call}",
        _FROZEN["attribute"]: "{name} 冻结为 {value}",
        _FROZEN["branch"]: "条件已冻结：总是{value}",
        _FROZEN["loop"]: "循环已展开：总是{value}",
        _FROZEN["random"]: "只抽取一次：总是 {value}",
        _FROZEN["time"]: "只读取一次：总是 {value}",
        _FROZEN["counter"]: "只有追踪的那次调用才改变 {name}，以后它一直是 {value}",
        _FROZEN["arguments"]: "是否传入 {name} 已经确定，不再改变",
        _FROZEN["print"]: "只在追踪时打印，之后不再打印",
        _FROZEN_STALE: "{name} 冻结为 {value}，虽然现在是 {now}",
    }
)
